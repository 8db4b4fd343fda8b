// A sequence of programs as one program whose body holds one region per part.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

// Global buffers and uniforms of the same name become one; shared buffers and local names are kept
// apart. The parts must have the same grid and workgroup, and agree on what they share.
//
// Between two dispatches all memory is visible; inside one it is not. So a buffer that one part
// writes and another part touches must be accessed everywhere at the invocation's own place:
// invocation.x on a 1-D grid, invocation.y * W + invocation.x on a 2-D grid W wide (or names bound
// to these). Anything else is refused with the buffer and the two parts named.
[[nodiscard]] std::expected<Program, Problems> compose(std::string name,
                                                       std::span<const Program> parts);

}  // namespace vyre::ir
