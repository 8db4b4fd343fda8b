// The step that sets the shape of the workgroup.
#pragma once

#include <array>
#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step workgroup_step;

// Of the parameters, by dimension.
inline constexpr std::array<std::string_view, 3> workgroup_names = {"wg_x", "wg_y", "wg_z"};
[[nodiscard]] Extent workgroup_of(const Schedule& schedule);

// Legal where the result cannot depend on how invocations are grouped: no barriers, no shared
// memory, no local or group ids, no size that names the workgroup. The grid need not be a multiple.
// Else only for the workgroups that the program lists.
[[nodiscard]] Result<ir::Program> with_workgroup(const ir::Program& program, Extent workgroup);

}  // namespace vyre::schedule
