#include "run/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <random>

#include "base/input.h"
#include "ir/words.h"

namespace vyre::run {
namespace {

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

std::uint64_t ramp_bits(std::size_t i, Scalar element) {
  switch (element) {
    case Scalar::boolean:
      return i % 2;
    case Scalar::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(i));
    case Scalar::f64:
      return std::bit_cast<std::uint64_t>(static_cast<double>(i));
    case Scalar::f16:
      return Half(static_cast<float>(i)).bits();
    default:
      return i;
  }
}

std::uint64_t random_bits(std::mt19937_64& random, Scalar element) {
  const std::uint64_t word = random();
  const auto fraction = [&] { return static_cast<float>(word >> 40U) * 0x1p-23F - 1.0F; };
  switch (element) {
    case Scalar::boolean:
      return word >> 63U;
    case Scalar::f32:  // 24 bits of a fraction in [-1, 1)
      return std::bit_cast<std::uint32_t>(fraction());
    case Scalar::f16:
      return Half(fraction()).bits();
    case Scalar::u64:
    case Scalar::i64:
      return word;
    case Scalar::f64:
      return std::bit_cast<std::uint64_t>(static_cast<double>(word >> 11U) * 0x1p-52 - 1.0);
    default:
      return word >> 32U;
  }
}

// All of a file or pipe, but no more than one byte above what is accepted.
Result<std::vector<std::byte>> content_of(const std::string& path, std::size_t expected) {
  constexpr std::size_t chunk = std::size_t{1} << 20U;
  const auto failed = [&](std::string_view why) {
    return fail(ErrorKind::io, fmt::format("cannot read '{}': {}", path, why));
  };
  const auto file = open_input(path);
  if (!file) return failed(file.error());
  std::vector<std::byte> content;
  content.reserve(expected);
  while (content.size() <= max_data_bytes) {
    const std::size_t before = content.size();
    content.resize(std::min<std::size_t>(before + chunk, max_data_bytes + 1));
    const std::span<std::byte> room = std::span(content).subspan(before);
    const auto got = read_into(*file, {reinterpret_cast<char*>(room.data()), room.size()});
    if (!got) return failed(std::strerror(errno));
    content.resize(before + *got);
    if (*got < room.size()) break;
  }
  return content;
}

}  // namespace

namespace {

// An integer's bits, if all of the text is one that fits.
template <class Integer>
std::optional<std::uint64_t> integer_bits(std::string_view text) {
  const auto value = number<Integer>(text);
  if (!value) return std::nullopt;
  return static_cast<std::make_unsigned_t<Integer>>(*value);
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
        return integer_bits<std::int32_t>(text);
      case Scalar::u64:
        return integer_bits<std::uint64_t>(text);
      case Scalar::i64:
        return integer_bits<std::int64_t>(text);
      case Scalar::u8:
        return integer_bits<std::uint8_t>(text);
      case Scalar::i8:
        return integer_bits<std::int8_t>(text);
      case Scalar::u16:
        return integer_bits<std::uint16_t>(text);
      case Scalar::i16:
        return integer_bits<std::int16_t>(text);
      case Scalar::f16:
        if (const auto v = number<float>(text)) return Half(*v).bits();
        return std::nullopt;
      case Scalar::f32:
        if (const auto v = number<float>(text)) return std::bit_cast<std::uint32_t>(*v);
        return std::nullopt;
      case Scalar::f64:
        if (const auto v = number<double>(text)) return std::bit_cast<std::uint64_t>(*v);
        return std::nullopt;
      default:
        return integer_bits<std::uint32_t>(text);
    }
  }();
  if (bits) return *bits;
  return fail(ErrorKind::input,
              fmt::format("'{}' is not {}", text.substr(0, 80), ir::with_article(scalar)));
}

Failure Data::refuse(std::string_view why) const {
  return fail(ErrorKind::input, fmt::format("'{}': {}", text_.substr(0, 80), why));
}

Result<Data> Data::read(std::string_view description, Scalar element) {
  Data made(description, element);
  const std::string_view head = description.substr(0, description.find(':'));
  const bool is_generated = head == "ramp" || head == "random" || head == "fill";
  const auto read = description.starts_with('@') ? made.read_file()
                    : is_generated               ? made.read_generated()
                                                 : made.read_list();
  if (!read) return Unexpected(read.error());
  return made;
}

Result<void> Data::read_generated() {
  const std::vector<std::string_view> parts = split(text_, ':');
  std::size_t used = 2;
  if (parts[0] == "ramp") {
    kind_ = Kind::ramp;
    used = 1;
  } else if (parts[0] == "random") {
    kind_ = Kind::random;
    const auto seed = parts.size() > 1 ? number<std::uint64_t>(parts[1]) : std::nullopt;
    if (!seed) return refuse("random needs a seed, as in random:7");
    seed_ = *seed;
  } else {
    kind_ = Kind::fill;
    if (parts.size() < 2) return refuse("fill needs a value, as in fill:1.5");
    const auto bits = value_bits(parts[1], element_);
    if (!bits) return Unexpected(bits.error());
    value_ = *bits;
  }
  if (parts.size() > used + 1) return refuse("too many parts");
  if (parts.size() == used + 1) {
    count_ = number<std::uint32_t>(parts[used]);
    if (!count_) return refuse(fmt::format("'{}' is not a count that fits in u32", parts[used]));
  }
  return {};
}

Result<void> Data::read_list() {
  for (const std::string_view part : split(text_, ',')) {
    const auto bits = value_bits(part, element_);
    if (!bits) return Unexpected(bits.error());
    values_.push_back(*bits);
  }
  count_ = static_cast<std::uint32_t>(values_.size());
  return {};
}

Result<void> Data::read_file() {
  kind_ = Kind::file;
  const std::string path = text_.substr(1);
  const auto too_large = [&] {
    return refuse(fmt::format("the file has over {} bytes; no more are accepted", max_data_bytes));
  };
  std::error_code unknown;  // the size of a pipe
  const std::uintmax_t expected = std::filesystem::file_size(path, unknown);
  if (!unknown && expected > max_data_bytes) return too_large();
  auto content = content_of(path, unknown ? 0 : static_cast<std::size_t>(expected) + 1);
  if (!content) return Unexpected(content.error());
  content_ = *std::move(content);
  if (content_.size() > max_data_bytes) return too_large();
  const std::size_t size = storage_bytes(element_);
  if (content_.size() % size != 0) {
    return refuse(fmt::format("the file has {} bytes: it must be a multiple of {} and at most {}",
                              content_.size(), size, max_data_bytes));
  }
  count_ = static_cast<std::uint32_t>(content_.size() / size);
  return {};
}

Result<std::vector<std::byte>> Data::bytes(std::uint32_t count) && {
  const std::size_t size = storage_bytes(element_);
  if (count * size > max_data_bytes) {
    return refuse(fmt::format("{} elements are {} bytes; at most {} are accepted", count,
                              count * size, max_data_bytes));
  }
  if (kind_ == Kind::file) {
    content_.resize(count * size);
    return std::move(content_);
  }
  std::vector<std::byte> bytes(count * size);
  std::mt19937_64 random(seed_);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = value_;
    if (kind_ == Kind::ramp) bits = ramp_bits(i, element_);
    if (kind_ == Kind::random) bits = random_bits(random, element_);
    if (kind_ == Kind::list) bits = values_[i];
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

Result<std::vector<std::byte>> make_data(std::string_view description, Scalar element,
                                         std::uint32_t count) {
  auto data = Data::read(description, element);
  if (!data) return Unexpected(data.error());
  return std::move(*data).bytes(count);
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
    case Scalar::u64:
      return fmt::format("{}", bits);
    case Scalar::i64:
      return fmt::format("{}", std::bit_cast<std::int64_t>(bits));
    case Scalar::i8:
      return fmt::format("{}", static_cast<std::int8_t>(low));
    case Scalar::i16:
      return fmt::format("{}", static_cast<std::int16_t>(low));
    case Scalar::f16:
      return fmt::format("{}", float{Half::from_bits(static_cast<std::uint16_t>(low))});
    default:
      return fmt::format("{}", low);
  }
}

}  // namespace vyre::run
