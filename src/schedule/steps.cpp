#include "schedule/steps.h"

#include <array>

#include "schedule/coarsen.h"
#include "schedule/contract.h"
#include "schedule/fission.h"
#include "schedule/gather.h"
#include "schedule/group_sums.h"
#include "schedule/group_turns.h"
#include "schedule/halo.h"
#include "schedule/inside.h"
#include "schedule/interchange.h"
#include "schedule/loop_lanes.h"
#include "schedule/no_nans.h"
#include "schedule/nontemporal.h"
#include "schedule/phases.h"
#include "schedule/privatise.h"
#include "schedule/registers.h"
#include "schedule/scatter.h"
#include "schedule/split_sums.h"
#include "schedule/sweep.h"
#include "schedule/tile.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

struct Row {
  const Step* step;
  std::size_t declared;  // n-th in spaces and texts
};

// One row for each step, in the order of application. The order in spaces is another one because
// seeds and indices that were written down depend on it: a new step is declared last.
constexpr std::array step_rows = {
    Row{&workgroup_step, 0},     //
    Row{&split_sums_step, 15},   //
    Row{&sweep_step, 18},        //
    Row{&scatter_step, 21},      //
    Row{&fission_step, 14},      //
    Row{&tile_step, 4},          //
    Row{&halo_step, 13},         //
    Row{&phases_step, 16},       //
    Row{&contract_step, 6},      //
    Row{&inside_step, 8},        //
    Row{&registers_step, 19},    //
    Row{&loop_lanes_step, 7},    //
    Row{&unroll_step, 1},        //
    Row{&vector_step, 2},        //
    Row{&interchange_step, 10},  //
    Row{&coarsen_step, 3},       //
    Row{&gather_step, 5},        //
    Row{&privatise_step, 9},     //
    Row{&group_sums_step, 11},   //
    Row{&group_turns_step, 12},  //
    Row{&no_nans_step, 20},      //
    Row{&nontemporal_step, 17},
};

using Steps = std::array<const Step*, step_rows.size()>;

constexpr Steps applied = [] {
  Steps made = {};
  for (std::size_t i = 0; i < step_rows.size(); ++i) made[i] = step_rows[i].step;
  return made;
}();

constexpr Steps declared = [] {
  Steps made = {};
  for (const Row& row : step_rows) made[row.declared] = row.step;
  return made;
}();

}  // namespace

std::span<const Step* const> steps() { return applied; }
std::span<const Step* const> declared_steps() { return declared; }

}  // namespace vyre::schedule
