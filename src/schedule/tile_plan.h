// Which loop of a program can be tiled, and which of its loads go through shared memory.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "schedule/tile.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// The elements of one buffer that a workgroup loads in `depth` iterations.
struct TiledLoad {
  ir::Expr load;   // as it stands in the body
  ir::Expr index;  // in terms of invocation ids, the loop variable, uniforms and literals
  std::array<bool, 3> depends = {};  // on the invocation's place in x, y, z
  bool along_loop = false;           // neighbours in the loop are neighbours in memory
};

struct TilePlan {
  std::size_t at = 0;  // of the loop in the body
  std::vector<TiledLoad> loads;
};

// Requires: unique names.
[[nodiscard]] Result<TilePlan> plan_tiles(const ir::Program& program, const Extent& workgroup,
                                          std::string_view what);

// Elements of a load's tile.
[[nodiscard]] std::uint64_t tile_elements(const TiledLoad& load, const Tiling& tiling);

}  // namespace vyre::schedule
