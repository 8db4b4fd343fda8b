// The types of values and of buffer elements.
#pragma once

#include <cstdint>
#include <string>

#include "vyre/base/launch.h"

namespace vyre::ir {

// A scalar (one lane) or a vector of 2, 4, 8 or 16 lanes.
struct Type {
  Scalar scalar = Scalar::unknown;
  std::uint8_t lanes = 1;

  bool operator==(const Type&) const = default;
};

inline constexpr std::uint8_t max_lanes = 16;

[[nodiscard]] constexpr bool is_lane_count(std::uint64_t lanes) {
  return lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16;
}
// "f32", "bool"; "f32x4" for vectors.
[[nodiscard]] inline std::string to_string(Type type) {
  std::string text(name_of(type.scalar));
  if (type.lanes != 1) text += "x" + std::to_string(type.lanes);
  return text;
}

}  // namespace vyre::ir
