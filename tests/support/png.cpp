#include "support/png.h"

#include <zlib.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace vyre::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("not a PNG that can be read: ") + what);
}

std::size_t number_at(std::string_view file, std::size_t at) {
  require(at + 4 <= file.size(), "cut off");
  std::size_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<std::uint8_t>(file[at + i]);
  return value;
}

struct Chunks {
  std::string_view head;
  std::string data;  // of all IDAT
};

Chunks chunks_of(std::string_view file) {
  require(file.starts_with("\x89PNG\r\n\x1a\n"), "signature");
  Chunks chunks;
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t length = number_at(file, at);
    require(length <= file.size() - at - 12, "chunk");
    const std::string_view name = file.substr(at + 4, 4);
    if (name == "IHDR") chunks.head = file.substr(at + 8, length);
    if (name == "IDAT") chunks.data += file.substr(at + 8, length);
    at += length + 12;
  }
  require(chunks.head.size() == 13, "head");
  return chunks;
}

Bytes inflated(const std::string& data, std::size_t size) {
  Bytes out(size);
  uLongf written = size;
  const int status =
      uncompress(out.data(), &written, reinterpret_cast<const Bytef*>(data.data()), data.size());
  require(status == Z_OK && written == size, "data");
  return out;
}

// Of left, above and above left the one that is nearest to left + above - above left.
int paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left);
  const int to_above = std::abs(guess - above);
  const int to_corner = std::abs(guess - corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

int predicted(int filter, int left, int above, int corner) {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) / 2;
    default:
      return paeth(left, above, corner);
  }
}

// Each row starts with the filter by which its bytes were predicted from those left and above.
void undo_filters(Bytes& rows, std::size_t stride, std::size_t channels) {
  for (std::size_t row = 0; row * stride < rows.size(); ++row) {
    const std::size_t start = row * stride;
    require(rows[start] <= 4, "filter");
    for (std::size_t i = 1; i < stride; ++i) {
      const bool has_left = i > channels;
      const int left = has_left ? rows[start + i - channels] : 0;
      const int above = row > 0 ? rows[start - stride + i] : 0;
      const int corner = has_left && row > 0 ? rows[start - stride + i - channels] : 0;
      const int value = rows[start + i] + predicted(rows[start], left, above, corner);
      rows[start + i] = static_cast<std::uint8_t>(value);
    }
  }
}

}  // namespace

Image decode_png(std::string_view file) {
  const Chunks chunks = chunks_of(file);
  Image image{number_at(chunks.head, 0), number_at(chunks.head, 4), {}};
  require(image.width > 0 && image.width < 10'000 && image.height < 20'000, "size");
  require(chunks.head[8] == 8 && chunks.head[12] == 0, "depth or interlace");
  require(chunks.head[9] == 2 || chunks.head[9] == 6, "colour type");
  const std::size_t channels = chunks.head[9] == 2 ? 3 : 4;
  const std::size_t stride = image.width * channels + 1;
  Bytes rows = inflated(chunks.data, stride * image.height);
  undo_filters(rows, stride, channels);
  for (std::size_t y = 0; y < image.height; ++y) {
    for (std::size_t x = 0; x < image.width; ++x) {
      const std::uint8_t* at = &rows[y * stride + 1 + x * channels];
      image.pixels.push_back({at[0], at[1], at[2]});
    }
  }
  return image;
}

}  // namespace vyre::testing
