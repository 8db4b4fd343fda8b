// The sizes of a program from the arrays that it is called with: `x: f32[n]` says n.
#pragma once

#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/front/array.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::detail {

// `given`, and the value of every other uniform that the number of elements of a buffer depends on
// in a way that can be solved: `n`, `n + 2`, `2 * n`, `n * m` where one is known or where the array
// has as many extents as there are factors. What cannot be solved keeps its default. Refused:
// arrays that contradict each other, or that do not have the size that results, by name and with
// the numbers. `arrays` are the global buffers in the order of declaration.
[[nodiscard]] Result<ir::Uniforms> deduce_sizes(const ir::Program& program,
                                                const ir::Uniforms& given,
                                                std::span<const Extents> arrays);

}  // namespace vyre::detail
