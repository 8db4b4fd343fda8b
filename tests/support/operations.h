// Programs that apply every operation to every type it has, for checking languages and devices.
#pragma once

#include <string>
#include <vector>

namespace vyre::testing {

// One program per scalar type and number of lanes, named "on_f32x4". Operands come from the
// buffers a, b, c and cond; every result goes to 64 elements of its own in a buffer named after its
// type, in the order of the statements: out_f32, out_bool, ... Barrier-free, 64 elements per
// operand. Those of f64 are last; without `f64` there are none, and no conversions to it.
std::vector<std::string> operation_programs(bool f64 = true);

// Statements, ids, shared and private memory of every type, atomics in both memories, accesses that
// cannot be proved in bounds, and uniforms of every type.
std::vector<std::string> statement_programs(bool f64 = true);

}  // namespace vyre::testing
