// From a program and its launch to a tape.
#pragma once

#include "interpret/tape.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::interpret {

// Requires: a valid program. The tape refers to the program's statements.
[[nodiscard]] Tape compile(const ir::Program& program, const ir::Uniforms& uniforms,
                           const Shape& shape);

}  // namespace vyre::interpret
