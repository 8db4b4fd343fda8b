#include "schedule/phases.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "schedule/coarsen.h"
#include "schedule/inside.h"
#include "schedule/space_maker.h"

namespace vyre::schedule {
namespace {

constexpr std::array phases_parameters = {
    Parameter{phases_name, "neighbouring items in x that are done together, before vectors"}};

// Borders that only show when quotients are simple are kept apart only then.
void declare_phases(SpaceMaker& space) {
  if (!space.independent()) return;
  std::vector<std::uint32_t> values = {1};
  for (const std::uint32_t phases : {2U, 3U, 4U}) {
    if (phases <= space.grid()[0] && with_phases(space.program(), phases)) values.push_back(phases);
  }
  if (values.size() == 1) return;
  space.parameter(phases_name, values);
  if (!space.has(inside_name) || split_inside(space.program())) return;
  space.constraint(fmt::format("{} == 0 or {} > 1", inside_name, phases_name));
}

Result<ir::Program> take_phases(const ir::Program& program, const Schedule& schedule) {
  return with_phases(program, schedule[phases_name]);
}

constexpr std::array<std::string_view, 3> phases_guesses = {
    "phases=2 inside=1 vector=16", "phases=2 vector=8",
    "phases=2 inside=1 vector=8 items_y=2 order=jammed"};

}  // namespace

constinit const Step phases_step = {.parameters = phases_parameters,
                                    .declare = declare_phases,
                                    .apply = take_phases,
                                    .guesses = phases_guesses};

Result<ir::Program> with_phases(const ir::Program& program, std::uint32_t phases) {
  if (phases == 1) return program;
  constexpr std::string_view what = "take items in x together before vectors";
  if (phases == 0 || phases > 4) return refuse(what, "there are from 1 to 4");
  if (auto fine = check_independent(program, what); !fine) return Unexpected(fine.error());
  return coarsened(program,
                   {.dim = 0, .items = phases, .order = Order::jammed, .for_quotients = true});
}

}  // namespace vyre::schedule
