#include "schedule/nontemporal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "schedule/loop_lanes.h"
#include "schedule/space_maker.h"
#include "schedule/split_sums.h"
#include "schedule/vectorize.h"

namespace vyre::schedule {
namespace {

bool is_only_written(const ir::Buffer& buffer) {
  return buffer.memory == ir::Memory::global && buffer.access == Access::write;
}

// What is smaller may still be in a cache when the next kernel reads it, which no measurement of
// one kernel shows.
constexpr std::uint64_t least_bytes = 32U << 20U;

bool writes_much(const SpaceMaker& space) {
  std::uint64_t bytes = 0;
  for (const ir::Buffer& buffer : space.program().buffers) {
    if (!is_only_written(buffer)) continue;
    bytes += std::uint64_t{space.size_of(buffer.count).value_or(0)} * storage_bytes(buffer.element);
  }
  return bytes >= least_bytes;
}

constexpr std::array nontemporal_parameters = {
    Parameter{nontemporal_name, "1: vectors are stored past the caches", 0}};

// Only vectors are stored so.
void declare_nontemporal(SpaceMaker& space) {
  std::string vectors;
  for (const std::string_view name : {vector_name, loop_vector_name}) {
    if (space.has(name)) vectors += fmt::format(" or {} > 1", name);
  }
  if (vectors.empty() || !writes_much(space)) return;
  space.parameter(nontemporal_name, std::array{0U, 1U});
  space.constraint(fmt::format("{} == 0{}", nontemporal_name, vectors));
  exclude_parts(space, nontemporal_name);
}

Result<ir::Program> take_nontemporal(const ir::Program& program, const Schedule& schedule) {
  return schedule[nontemporal_name] == 0 ? program : with_nontemporal_stores(program);
}

}  // namespace

constinit const Step nontemporal_step = {.parameters = nontemporal_parameters,
                                         .declare = declare_nontemporal,
                                         .apply = take_nontemporal,
                                         .favoured = 1U};

Result<ir::Program> with_nontemporal_stores(const ir::Program& program) {
  constexpr std::string_view what = "store past the caches";
  ir::Program made = program;
  for (ir::Buffer& buffer : made.buffers) buffer.nontemporal = is_only_written(buffer);
  if (std::ranges::none_of(made.buffers, &ir::Buffer::nontemporal)) {
    return refuse(what, "no buffer is only written");
  }
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
