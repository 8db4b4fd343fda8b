#include "ir/literal_text.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <system_error>

namespace vyre::ir {
namespace {

using Read = Expected<Literal, std::string_view>;

constexpr std::string_view bad_suffix =
    "is not a number: the suffixes are i for i32, d for f64, u64 and i64";

template <class Float>
std::string float_text(Float value, std::string_view type, std::string_view suffix) {
  if (std::isnan(value)) return fmt::format("{}.nan", type);
  if (std::isinf(value)) return fmt::format("{}{}.inf", value < 0 ? "-" : "", type);
  std::string digits = fmt::format("{}", value);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits + std::string(suffix);
}

template <class Number>
std::optional<Number> read_all(std::string_view text, int base = 10) {
  Number value{};
  std::from_chars_result read{};
  if constexpr (std::is_floating_point_v<Number>) {
    read = std::from_chars(text.data(), text.data() + text.size(), value);
  } else {
    read = std::from_chars(text.data(), text.data() + text.size(), value, base);
  }
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

Read read_signed(std::optional<std::uint64_t> value, bool negative) {
  const std::uint64_t most = negative ? 1ULL << 31U : (1ULL << 31U) - 1;
  if (!value || *value > most) return Unexpected("does not fit in i32");
  return Literal{Scalar::i32, static_cast<std::uint32_t>(negative ? 0 - *value : *value)};
}

Read read_long(std::optional<std::uint64_t> value, bool negative, Scalar scalar) {
  if (scalar == Scalar::u64) {
    if (!value || (negative && *value != 0)) return Unexpected("does not fit in u64");
    return Literal{scalar, *value};
  }
  const std::uint64_t most = negative ? 1ULL << 63U : (1ULL << 63U) - 1;
  if (!value || *value > most) return Unexpected("does not fit in i64");
  return Literal{scalar, negative ? 0 - *value : *value};
}

Read read_unsigned(std::optional<std::uint64_t> value, bool negative) {
  if (negative) {
    return Unexpected(
        "is negative, but without a suffix it is u32: write it with i for i32, or .0 for f32");
  }
  if (!value || *value > 0xffffffffULL) return Unexpected("does not fit in u32");
  return Literal{Scalar::u32, *value};
}

Read read_integer_literal(std::string_view text, bool negative) {
  for (const Scalar scalar : {Scalar::u64, Scalar::i64}) {
    if (!text.ends_with(name_of(scalar))) continue;
    const std::string_view digits = text.substr(0, text.size() - name_of(scalar).size());
    if (digits.find_first_not_of("0123456789abcdefABCDEFxX") != std::string_view::npos) break;
    return read_long(read_integer(digits), negative, scalar);
  }
  const bool is_signed = text.ends_with('i');
  const auto value = read_integer(text.substr(0, text.size() - (is_signed ? 1 : 0)));
  if (!value && text.find_first_not_of("0123456789i") != std::string_view::npos) {
    return Unexpected(bad_suffix);
  }
  return is_signed ? read_signed(value, negative) : read_unsigned(value, negative);
}

template <class Float>
Read read_float(std::string_view digits, std::string_view why_not) {
  using Bits = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;
  if (const auto value = read_all<Float>(digits)) {
    return Literal{sizeof(Float) == 4 ? Scalar::f32 : Scalar::f64, std::bit_cast<Bits>(*value)};
  }
  const bool other = digits.find_first_not_of("-+0123456789.eE") != std::string_view::npos;
  return Unexpected(other ? bad_suffix : why_not);
}

}  // namespace

std::string literal_text(const Literal& n) {
  const auto low = static_cast<std::uint32_t>(n.bits);
  switch (n.scalar) {
    case Scalar::boolean:
      return n.bits != 0 ? "true" : "false";
    case Scalar::i32:
      return fmt::format("{}i", std::bit_cast<std::int32_t>(low));
    case Scalar::u64:
      return fmt::format("{}u64", n.bits);
    case Scalar::i64:
      return fmt::format("{}i64", std::bit_cast<std::int64_t>(n.bits));
    case Scalar::f32:
      return float_text(std::bit_cast<float>(low), "f32", "");
    case Scalar::f64:
      return float_text(std::bit_cast<double>(n.bits), "f64", "d");
    default:
      return fmt::format("{}", low);
  }
}

std::optional<std::uint64_t> read_integer(std::string_view digits) {
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    return read_all<std::uint64_t>(digits.substr(2), 16);
  }
  return read_all<std::uint64_t>(digits);
}

Expected<Literal, std::string_view> read_number(const Token& token, bool negative) {
  const bool wide = token.text.ends_with('d');
  if (token.kind == TokenKind::integer && !wide) return read_integer_literal(token.text, negative);
  const std::string digits = fmt::format("{}{}", negative ? "-" : "",
                                         token.text.substr(0, token.text.size() - (wide ? 1 : 0)));
  return wide ? read_float<double>(digits, "is not a number that fits in f64")
              : read_float<float>(digits, "is not a number that fits in f32");
}

}  // namespace vyre::ir
