// What a loop accumulates: variables from outside that its iterations only add to, multiply, or
// take the minimum or maximum with.
//
//   s = s + e,  s = e + s,  s = s - e,  s = fma(a, b, s),  s = select(c, s + e, s),  ...
//
// where nothing else in the loop reads s. Iterations may then be taken in any order, or as several
// partial accumulations that are put together at the end: to the bit for integers, and for minima
// and maxima; for sums and products of floats within rounding.
#pragma once

#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

struct Accumulator {
  ir::Var variable;
  ir::BinaryOp op = ir::BinaryOp::add;  // add, mul, min or max
};

// Whether partial accumulations give other bits.
[[nodiscard]] bool rounds(const Accumulator& accumulator);

// What a partial accumulation starts from, so that putting it together with the others counts
// nothing twice; the variable itself where that does no harm.
[[nodiscard]] ir::Expr start_of_part(const Accumulator& accumulator);

// All that the loop assigns of what was declared outside it, in the order of the text; or the
// reason why that is not only accumulated.
[[nodiscard]] Result<std::vector<Accumulator>> accumulators(const ir::For& loop);
// The same, if its iterations may be taken in any order: without the program's word for it, sums
// and products of floats may not.
[[nodiscard]] Result<std::vector<Accumulator>> accumulators_in_any_order(const ir::For& loop,
                                                                         bool reassociate);

// The body with another name for a variable that it accumulates.
[[nodiscard]] ir::Block with_accumulator(const ir::Block& body, const ir::Var& from,
                                         const std::string& to);

}  // namespace vyre::schedule
