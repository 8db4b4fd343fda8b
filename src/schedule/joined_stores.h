// Branches that store to one place either way: they choose the value, and one store follows them.
//
//   if c { out[i] = a } else { out[i] = b }      becomes      var value = 0.0
//                                                             if c { value = a } else { value = b }
//                                                             out[i] = value
//
// so that lanes which part ways only compute, under masks, and the store is a vector's. What both
// may load from buffers that nobody writes is loaded before them: what the condition loads, and
// what a loop around them is sure to find, `name[j]` for j in 0 .. n where there are n names.
// Branches that load more, or do more than compute, are left: where all lanes take the same one,
// their loads may be vectors'.
#pragma once

#include <span>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// Requires: unique names. `constants` are buffers that nobody writes.
[[nodiscard]] ir::Block with_joined_stores(const ir::Block& body,
                                           std::span<const ir::Buffer> constants, ir::Names& names);

}  // namespace vyre::schedule
