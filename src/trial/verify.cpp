#include "trial/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/check.h"
#include "run/data.h"

namespace vyre::trial {
namespace {

template <class T>
T element_at(std::span<const std::byte> bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

// Some last places of f32 are at most the next f16.
template <class T>
std::uint64_t allowed_ulps(const Tolerance& tolerance) {
  return std::is_same_v<T, Half> ? std::min<std::uint64_t>(tolerance.ulps, 1) : tolerance.ulps;
}

template <class T>
bool is_right(T want, T have, const Expected& expected) {
  if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half>) {
    const Tolerance& tolerance = expected.tolerance;
    if (run::ulps_between(want, have) <= allowed_ulps<T>(tolerance)) return true;
    const double value = std::abs(static_cast<double>(want));
    const double error = std::abs(static_cast<double>(have) - static_cast<double>(want));
    if (error <= tolerance.absolute + tolerance.relative * value) return true;
    return expected.accuracy != nullptr && error <= expected.accuracy->allowed(value);
  } else {
    return want == have;
  }
}

struct Wrong {
  std::size_t count = 0;
  std::size_t first = 0;
};

template <class T>
Wrong wrong_of(const Expected& expected, std::span<const std::byte> got) {
  Wrong wrong;
  for (std::size_t i = 0; i < got.size() / sizeof(T); ++i) {
    if (is_right(element_at<T>(*expected.content, i), element_at<T>(got, i), expected)) continue;
    if (wrong.count++ == 0) wrong.first = i;
  }
  return wrong;
}

Wrong wrong_of(const Expected& expected, std::span<const std::byte> got) {
  switch (expected.element) {
    case Scalar::f32:
      return wrong_of<float>(expected, got);
    case Scalar::f64:
      return wrong_of<double>(expected, got);
    case Scalar::f16:
      return wrong_of<Half>(expected, got);
    case Scalar::boolean:
    case Scalar::u8:
    case Scalar::i8:
      return wrong_of<std::uint8_t>(expected, got);
    case Scalar::u16:
    case Scalar::i16:
      return wrong_of<std::uint16_t>(expected, got);
    case Scalar::u64:
    case Scalar::i64:
      return wrong_of<std::uint64_t>(expected, got);
    default:
      return wrong_of<std::uint32_t>(expected, got);
  }
}

// One per argument; null for scalars.
std::vector<const worker::Content*> by_argument(const worker::Job& kernel,
                                                const worker::Output& output) {
  std::vector<const worker::Content*> contents;
  auto next = output.buffers.begin();
  for (const worker::Argument& argument : kernel.arguments) {
    const bool is_buffer = std::holds_alternative<worker::BufferArgument>(argument);
    contents.push_back(is_buffer ? &*next++ : nullptr);
  }
  return contents;
}

std::string name_of_argument(const Candidate& candidate, std::size_t argument) {
  const auto found = std::ranges::find(candidate.expected, argument, &Expected::argument);
  if (found != candidate.expected.end() && !found->buffer.empty()) {
    return fmt::format("buffer '{}'", found->buffer);
  }
  return fmt::format("argument {}", argument);
}

std::size_t bytes_of(const Candidate& candidate, std::size_t argument) {
  return std::get<worker::BufferArgument>(candidate.kernel.arguments[argument]).content->size();
}

std::string where(std::int64_t offset, std::size_t bytes) {
  if (offset < 0) return fmt::format("{} bytes before its start", -offset);
  return fmt::format("{} bytes past its end", static_cast<std::size_t>(offset) - bytes + 1);
}

}  // namespace

std::string wrong_elements(const Expected& expected, const std::vector<std::byte>& got) {
  check(expected.content->size() == got.size(), "compared buffers have equal lengths");
  const Wrong wrong = wrong_of(expected, got);
  if (wrong.count == 0) return {};
  return fmt::format("element {} is {}, expected {}; {} of {} elements differ", wrong.first,
                     run::element_text(got, expected.element, wrong.first),
                     run::element_text(*expected.content, expected.element, wrong.first),
                     wrong.count, got.size() / storage_bytes(expected.element));
}

std::vector<worker::Data> likely_contents(const Candidate& candidate) {
  std::vector<worker::Data> contents;
  for (const worker::Argument& argument : candidate.kernel.arguments) {
    const auto* buffer = std::get_if<worker::BufferArgument>(&argument);
    const bool is_input = buffer != nullptr && buffer->access == Access::read;
    contents.push_back(is_input ? buffer->content : nullptr);
  }
  // One that is also an input has two things to be compared with.
  for (const Expected& expected : candidate.expected) {
    worker::Data& content = contents[expected.argument];
    content = content == nullptr ? expected.content : nullptr;
  }
  return contents;
}

std::optional<Fault> find_fault(const Candidate& candidate, const worker::Output& output) {
  const auto contents = by_argument(candidate.kernel, output);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (contents[i] == nullptr || !contents[i]->touched) continue;
    return Fault{Verdict::runtime,
                 fmt::format("it wrote out of bounds: {} {}", name_of_argument(candidate, i),
                             where(contents[i]->touched->offset, bytes_of(candidate, i)))};
  }
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (contents[i] == nullptr || contents[i]->is_likely) continue;
    const auto& buffer = std::get<worker::BufferArgument>(candidate.kernel.arguments[i]);
    if (buffer.access != Access::read || contents[i]->bytes == *buffer.content) continue;
    const auto at = std::ranges::mismatch(contents[i]->bytes, *buffer.content).in1;
    return Fault{Verdict::correctness,
                 fmt::format("it changed {}, which it must only read, at byte {}",
                             name_of_argument(candidate, i), at - contents[i]->bytes.begin())};
  }
  for (const Expected& expected : candidate.expected) {
    if (contents[expected.argument]->is_likely) continue;
    const auto& got = contents[expected.argument]->bytes;
    std::string wrong = wrong_elements(expected, got);
    if (wrong.empty()) continue;
    return Fault{
        Verdict::correctness,
        fmt::format("{}: {}", name_of_argument(candidate, expected.argument), std::move(wrong))};
  }
  return std::nullopt;
}

}  // namespace vyre::trial
