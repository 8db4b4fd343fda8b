// A picture from a PNG file, for tests that look at one: eight bits per channel, not interlaced,
// which is what browsers write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace vyre::testing {

struct Pixel {
  int red = 0;
  int green = 0;
  int blue = 0;
  bool operator==(const Pixel&) const = default;
};

struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<Pixel> pixels;  // rows from the top

  [[nodiscard]] Pixel at(std::size_t x, std::size_t y) const { return pixels.at(y * width + x); }
};

// Throws std::runtime_error if it is not such a file.
[[nodiscard]] Image decode_png(std::string_view file);

}  // namespace vyre::testing
