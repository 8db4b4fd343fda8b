// Which loads of a program are around the invocation's own place: the same function of the ids,
// each id shifted by a little.
//
//   u[f(x + a, y + b)]     f(x, y) = P x + Q y,   a and b known but for loop variables with bounds
//
// A workgroup needs P x + Q y for all its places and their neighbours as far as the shifts go.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// A load: how far from the own place, by dimension.
struct Tap {
  ir::Expr load;                   // as it stands in the body
  std::array<ir::Expr, 3> shifts;  // u32, may be "negative"
};

// What a workgroup holds of one buffer.
struct HaloTile {
  std::string buffer;
  Scalar element = Scalar::f32;
  ir::Expr count;                                     // elements of the buffer
  std::array<std::optional<ir::Expr>, 3> strides;     // P, Q, ...; none: independent of that id
  std::array<std::int64_t, 3> least = {}, most = {};  // of the shifts
  std::vector<Tap> taps;

  // Places of a workgroup of this shape and their neighbours, in a dimension.
  [[nodiscard]] std::uint32_t extent(std::size_t dim, const Extent& workgroup) const;
};

// Every buffer, read only, that is loaded from at two places or more which are neighbours so.
// Refuses where there is none. Requires: unique names.
[[nodiscard]] Result<std::vector<HaloTile>> plan_halo(const ir::Program& program,
                                                      std::string_view what);

}  // namespace vyre::schedule
