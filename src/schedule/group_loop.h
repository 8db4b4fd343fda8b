// Loops that the invocations of a workgroup go through together, each taking every n-th turn.
#pragma once

#include <cstdint>
#include <string>

#include "vyre/ir/program.h"

namespace vyre::schedule {

// Invocations of a group.
[[nodiscard]] std::uint32_t group_size(const Extent& workgroup);

// The number of an invocation in its group, x first; a literal 0 where it is alone.
[[nodiscard]] ir::Expr number_in_group(const Extent& workgroup);

// "for name in number .. count step invocations", without a body.
[[nodiscard]] ir::For group_loop(std::string name, const ir::Expr& count, const Extent& workgroup);

}  // namespace vyre::schedule
