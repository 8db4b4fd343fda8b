#include "run/data.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "ir/words.h"

namespace vyre::run {
namespace {

// What a description says, taken apart.
struct Description {
  enum class Kind : std::uint8_t { ramp, random, fill, list, file };
  Kind kind = Kind::list;
  std::uint64_t seed = 0;
  std::uint64_t value = 0;            // fill: the element's bits
  std::vector<std::uint64_t> values;  // list: the elements' bits
  std::string path;
  std::optional<std::uint32_t> count;
};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::unexpected<Error> refuse(std::string_view description, std::string_view why) {
  return fail(ErrorKind::input, fmt::format("'{}': {}", description.substr(0, 80), why));
}

Result<Description> generated(std::string_view description, Scalar element) {
  const std::vector<std::string_view> parts = split(description, ':');
  Description made;
  std::size_t used = 2;
  if (parts[0] == "ramp") {
    made.kind = Description::Kind::ramp;
    used = 1;
  } else if (parts[0] == "random") {
    made.kind = Description::Kind::random;
    const auto seed = parts.size() > 1 ? number<std::uint64_t>(parts[1]) : std::nullopt;
    if (!seed) return refuse(description, "random needs a seed, as in random:7");
    made.seed = *seed;
  } else {
    made.kind = Description::Kind::fill;
    if (parts.size() < 2) return refuse(description, "fill needs a value, as in fill:1.5");
    const auto bits = value_bits(parts[1], element);
    if (!bits) return std::unexpected(bits.error());
    made.value = *bits;
  }
  if (parts.size() > used + 1) return refuse(description, "too many parts");
  if (parts.size() == used + 1) {
    made.count = number<std::uint32_t>(parts[used]);
    if (!made.count) {
      return refuse(description, fmt::format("'{}' is not a count that fits in u32", parts[used]));
    }
  }
  return made;
}

Result<Description> file(std::string_view description, Scalar element) {
  Description made{.kind = Description::Kind::file, .path = std::string(description.substr(1))};
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(made.path, error);
  if (error) {
    return fail(ErrorKind::io, fmt::format("cannot read '{}': {}", made.path, error.message()));
  }
  const std::size_t size = storage_bytes(element);
  if (bytes % size != 0 || bytes > max_data_bytes) {
    return refuse(description,
                  fmt::format("the file has {} bytes: it must be a multiple of {} and at most {}",
                              bytes, size, max_data_bytes));
  }
  made.count = static_cast<std::uint32_t>(bytes / size);
  return made;
}

Result<Description> take_apart(std::string_view text, Scalar element) {
  if (text.starts_with('@')) return file(text, element);
  const std::string_view head = text.substr(0, text.find(':'));
  if (head == "ramp" || head == "random" || head == "fill") return generated(text, element);
  Description made;
  for (const std::string_view part : split(text, ',')) {
    const auto bits = value_bits(part, element);
    if (!bits) return std::unexpected(bits.error());
    made.values.push_back(*bits);
  }
  made.count = static_cast<std::uint32_t>(made.values.size());
  return made;
}

std::uint64_t ramp_bits(std::size_t i, Scalar element) {
  switch (element) {
    case Scalar::boolean:
      return i % 2;
    case Scalar::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(i));
    case Scalar::f64:
      return std::bit_cast<std::uint64_t>(static_cast<double>(i));
    default:
      return i;
  }
}

std::uint64_t random_bits(std::mt19937_64& random, Scalar element) {
  const std::uint64_t word = random();
  switch (element) {
    case Scalar::boolean:
      return word >> 63U;
    case Scalar::f32:  // 24 bits of a fraction in [-1, 1)
      return std::bit_cast<std::uint32_t>(static_cast<float>(word >> 40U) * 0x1p-23F - 1.0F);
    case Scalar::f64:
      return std::bit_cast<std::uint64_t>(static_cast<double>(word >> 11U) * 0x1p-52 - 1.0);
    default:
      return word >> 32U;
  }
}

Result<std::vector<std::byte>> read_file(const std::string& path, std::size_t bytes) {
  std::vector<std::byte> content(bytes);
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(bytes));
  if (!in) return fail(ErrorKind::io, fmt::format("cannot read '{}'", path));
  return content;
}

}  // namespace

Result<std::uint64_t> value_bits(std::string_view text, Scalar scalar) {
  const auto bits = [&]() -> std::optional<std::uint64_t> {
    switch (scalar) {
      case Scalar::boolean:
        if (text == "true" || text == "1") return 1;
        if (text == "false" || text == "0") return 0;
        return std::nullopt;
      case Scalar::i32:
        if (const auto v = number<std::int32_t>(text)) return static_cast<std::uint32_t>(*v);
        return std::nullopt;
      case Scalar::f32:
        if (const auto v = number<float>(text)) return std::bit_cast<std::uint32_t>(*v);
        return std::nullopt;
      case Scalar::f64:
        if (const auto v = number<double>(text)) return std::bit_cast<std::uint64_t>(*v);
        return std::nullopt;
      default:
        if (const auto v = number<std::uint32_t>(text)) return *v;
        return std::nullopt;
    }
  }();
  if (bits) return *bits;
  return fail(ErrorKind::input,
              fmt::format("'{}' is not {}", text.substr(0, 80), ir::with_article(scalar)));
}

Result<std::optional<std::uint32_t>> data_count(std::string_view description, Scalar element) {
  const auto parts = take_apart(description, element);
  if (!parts) return std::unexpected(parts.error());
  return parts->count;
}

Result<std::vector<std::byte>> make_data(std::string_view description, Scalar element,
                                         std::uint32_t count) {
  const auto parts = take_apart(description, element);
  if (!parts) return std::unexpected(parts.error());
  const std::size_t size = storage_bytes(element);
  if (count * size > max_data_bytes) {
    return refuse(description, fmt::format("{} elements are {} bytes; at most {} are accepted",
                                           count, count * size, max_data_bytes));
  }
  if (parts->kind == Description::Kind::file) return read_file(parts->path, count * size);
  std::vector<std::byte> bytes(count * size);
  std::mt19937_64 random(parts->seed);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = parts->value;
    if (parts->kind == Description::Kind::ramp) bits = ramp_bits(i, element);
    if (parts->kind == Description::Kind::random) bits = random_bits(random, element);
    if (parts->kind == Description::Kind::list) bits = parts->values[i];
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

std::string element_text(std::span<const std::byte> bytes, Scalar element, std::size_t index) {
  const std::size_t size = storage_bytes(element);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * size, size);
  const auto low = static_cast<std::uint32_t>(bits);
  switch (element) {
    case Scalar::boolean:
      return bits != 0 ? "true" : "false";
    case Scalar::i32:
      return fmt::format("{}", std::bit_cast<std::int32_t>(low));
    case Scalar::f32:
      return fmt::format("{}", std::bit_cast<float>(low));
    case Scalar::f64:
      return fmt::format("{}", std::bit_cast<double>(bits));
    default:
      return fmt::format("{}", low);
  }
}

}  // namespace vyre::run
