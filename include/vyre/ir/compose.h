// A sequence of programs as one program whose body holds one region per part.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

struct ComposeOptions {
  // Where parts declare different things under one name: rename them, or refuse.
  bool rename = false;
};

// What the names of one part are called in the whole, changed or not.
struct PartNames {
  using Map = std::map<std::string, std::string, std::less<>>;
  Map uniforms;
  Map buffers;  // of any memory
  // Let, var and loop variables in the order of their declaration: blocks side by side may declare
  // one name twice.
  std::vector<std::pair<std::string, std::string>> locals;
};

struct Composition {
  Program program;
  std::vector<PartNames> parts;
};

// Global buffers and uniforms of the same name become one; shared and private buffers and local
// names are kept apart. The parts must have the same grid and workgroup, and agree on what they
// share: uniforms in type and default, buffers in type and count.
//
// With `rename` they need not agree. The first part that declares a name keeps it. A later part
// that declares it otherwise gets name_2, or the first of name_3, name_4, ... that no part has for
// a uniform or a global buffer and that is not given yet; if a part before it had declared it
// alike, it shares that part's. Grids are compared after renaming, so parts whose grids name
// different uniforms still do not fit.
//
// Between two dispatches all memory is visible; inside one it is not. So a buffer that one part
// writes and another part touches must be accessed everywhere at the invocation's own place:
// invocation.x on a 1-D grid, invocation.y * W + invocation.x on a 2-D grid W wide (or names bound
// to these). Anything else is refused with the buffer and the two parts named.
[[nodiscard]] Result<Composition> compose(std::string name, std::span<const Program> parts,
                                          ComposeOptions options = {});

}  // namespace vyre::ir
