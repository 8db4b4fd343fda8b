// The step that brings what a workgroup reads in a loop into shared memory, tile by tile.
//
// A counted loop whose body loads from read-only buffers at places that depend on the loop variable
// and on some of the dimensions, as in a plain matrix product, loads the same elements in all
// invocations that differ in the other dimensions. Here the group loads `depth` iterations' worth
// of them together, waits, goes through these iterations, and waits again.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step tile_step;

inline constexpr std::string_view tile_name = "tile";

struct Tiling {
  Extent workgroup = {16, 16, 1};
  std::uint32_t depth = 16;  // iterations of the loop per tile
};

// Tiles the first loop `for i in 0 .. n` at the top of the body for which that saves loads, with n
// the same for all invocations. Legal where invocations are independent (see with_workgroup),
// nothing is stored before or in the loop, and nothing is read there that the program writes: then
// the grid may be rounded up to whole workgroups, the surplus repeating the last invocation without
// storing. Refuses with the reason otherwise.
[[nodiscard]] Result<ir::Program> tiled(const ir::Program& program, const Tiling& tiling);

}  // namespace vyre::schedule
