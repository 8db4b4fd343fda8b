// The outputs of a program, taken apart: which of the buffers that it writes are computed
// independently of each other, and the program that computes only some of them.
//
//   for j in 0 .. n {                             for j in 0 .. n {
//     along = along + a[i * n + j] * p[j]           along = along + a[i * n + j] * p[j]
//     across = across + a[j * n + i] * r[j]       }
//   }                                             q[i] = along
//   q[i] = along
//   s[i] = across                                 the slice of q
#pragma once

#include <string>
#include <vector>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

using Outputs = std::vector<std::string>;  // global buffers, in the order of declaration

// The buffers that the program writes, in groups: no statement that is needed for one group reads
// what another group is stored in. Groups are in the order of their first buffers. Requires: unique
// names, independent invocations.
[[nodiscard]] std::vector<Outputs> independent_outputs(const ir::Program& program);

// The buffers that statements of the block store or add to.
[[nodiscard]] ir::NameSet written_buffers(const ir::Block& block);

// The statements that these outputs need, and the buffers that they access. Requires: unique names.
[[nodiscard]] ir::Program slice_of(const ir::Program& program, const Outputs& outputs);

}  // namespace vyre::schedule
