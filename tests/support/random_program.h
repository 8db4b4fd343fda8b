// Random programs that are well typed, terminate and are free of races, with inputs for them.
//
// What may differ between devices is kept where it cannot spread: operations that are not exact on
// every device (f32 division, sqrt, exp, log, and min and max, which may return either zero) stand
// only at the top of a value that is stored, never inside a condition, an index, an integer or a
// variable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::testing {

struct Generated {
  ir::Program program;
  // The content of each global buffer, in the order of declaration.
  std::vector<std::vector<std::byte>> buffers;
};

struct RandomOptions {
  // No invocation sees its group: no barriers, no shared memory, only invocation ids. Half of these
  // programs read and write neighbouring elements in neighbouring invocations.
  bool independent = false;
  bool f64 = true;
};

// One program in three has `reassociate`, for atomics of f32: they add small whole numbers, so that
// every order gives the same bits.

// The same seed gives the same program on every machine.
Generated random_program(std::uint64_t seed, RandomOptions options = {});

}  // namespace vyre::testing
