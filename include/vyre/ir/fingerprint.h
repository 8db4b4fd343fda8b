// Canonical form and fingerprint: when two texts are the same program.
//
// The canonical form renames locals, loop variables and shared and private buffers by order of
// appearance, dissolves regions, and drops the program's own name and the uniforms' default values.
// What can be seen from outside stays: names, types and order of global buffers and uniforms.
#pragma once

#include "vyre/base/hash.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

[[nodiscard]] Program canonical(const Program& program);

// BLAKE2b-256 of "vyre program v1\0" and the text of the canonical form. The same on every machine.
[[nodiscard]] Digest fingerprint(const Program& program);

}  // namespace vyre::ir
