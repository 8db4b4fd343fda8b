// The schedules of a program as a space that strategies search.
//
// Only parameters that can matter for the program appear. The program as it is belongs to the
// space, and nearly every configuration is legal; `apply` has the last word.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/schedule/schedule.h"
#include "vyre/space/definition.h"
#include "vyre/space/space.h"

namespace vyre::schedule {

// What a device can do.
struct Limits {
  std::uint32_t max_workgroup = 1024;  // invocations
  Extent max_extent = {1024, 1024, 64};
  std::uint64_t shared_bytes = 32'768;
  // Where the program as it is has as many workgroups and is not small, configurations with fewer
  // than this are left out: they would leave units idle.
  std::uint32_t compute_units = 1;
};

// Fails where the program cannot be launched with these uniforms.
[[nodiscard]] Result<space::Definition> schedule_space(const ir::Program& program,
                                                       const Limits& limits = {},
                                                       const ir::Uniforms& uniforms = {});

// The schedule that a configuration stands for; what has no parameter is as in default_schedule.
// Requires one value per parameter.
[[nodiscard]] Result<Schedule> schedule_of(const ir::Program& program,
                                           std::span<const space::Parameter> parameters,
                                           std::span<const space::Value> values);
// Requires a space made from schedule_space(program).
[[nodiscard]] Schedule schedule_of(const ir::Program& program, const space::Space& space,
                                   space::Index index);
// Where such a space has a schedule, if it does.
[[nodiscard]] std::optional<space::Index> index_of(const space::Space& space,
                                                   const Schedule& schedule);

// Of any space: whether the workgroup is among the parameters, and a configuration's values with
// this workgroup where it is.
[[nodiscard]] bool has_workgroup(std::span<const space::Parameter> parameters);
void put_workgroup(const Extent& workgroup, std::span<const space::Parameter> parameters,
                   std::span<space::Value> values);
// As text, of all three dimensions.
[[nodiscard]] std::string workgroup_text(const Extent& workgroup);

}  // namespace vyre::schedule
