// Static facts of a program: what it computes and moves, found without running it.
//
// Counts are for one whole launch. A loop counts as often as its trip count says where that is
// known from literals and uniforms; else, and a while always, it counts once and `exact` is false.
// Both sides of an if count.
#pragma once

#include <cstdint>

#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::ir {

struct Facts {
  // Operations by kind, counted per lane.
  std::uint64_t integer_ops = 0;  // arithmetic, bit operations, min and max on integers and bool
  std::uint64_t float_ops = 0;    // + - * min max abs neg; an fma counts two
  std::uint64_t special_ops = 0;  // float division, sqrt, exp, log
  std::uint64_t comparisons = 0;  // comparisons and selects
  std::uint64_t conversions = 0;
  // Accesses, and the bytes they move; private buffers are not counted as memory.
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t atomics = 0;
  std::uint64_t global_bytes_read = 0;
  std::uint64_t global_bytes_written = 0;
  std::uint64_t shared_bytes_read = 0;
  std::uint64_t shared_bytes_written = 0;
  // Structure, counted in the text, not per launch.
  std::uint32_t barriers = 0;
  std::uint32_t branches = 0;
  std::uint32_t loops = 0;
  std::uint32_t divergent = 0;     // ifs and loops whose condition differs between invocations
  std::uint64_t shared_bytes = 0;  // shared memory of one workgroup
  std::uint64_t invocations = 0;
  bool exact = true;

  bool operator==(const Facts&) const = default;
};

// Requires: a valid program. Fails where a size cannot be evaluated.
[[nodiscard]] Result<Facts> facts(const Program& program, const Uniforms& uniforms = {});

}  // namespace vyre::ir
