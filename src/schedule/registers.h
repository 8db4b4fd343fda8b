// The step that writes out the loops that go through small private arrays, so that every element is
// accessed at a literal place: compilers keep such arrays in registers.
//
//   private v: f32[3]                          v[0] = x[i]
//   for j in 0 .. 3 { v[j] = x[i + j] }        v[1] = x[i + 1]
//   for j in 0 .. 2 {                          v[2] = x[i + 2]
//     for k in j + 1 .. 3 { ... v[k] ... }     ... v[1] ...   ... v[2] ...   ... v[2] ...
//   }
//
// Unrolling (schedule/unroll.h) takes innermost loops only, some iterations at a time.
#pragma once

#include <string_view>

#include "schedule/step.h"

namespace vyre::schedule {

inline constexpr std::string_view registers_name = "registers";
extern const Step registers_step;

// Written out are loops of few iterations with literal bounds, also where these are literal only
// once the loops around them are written out, whose variable decides which elements of a private
// array are accessed. Names of literals are read through. Refused where there is none, and where
// the program would be too long. A space has it where that puts a whole array into registers.
[[nodiscard]] Result<ir::Program> in_registers(const ir::Program& program);

}  // namespace vyre::schedule
