#include "trial/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>

#include "base/check.h"
#include "run/data.h"

namespace vyre::trial {
namespace {

double as_double(Scalar element, std::span<const std::byte> bytes) {
  if (element == Scalar::f32) {
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return static_cast<double>(value);
  }
  double value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

bool is_right(Scalar element, const Tolerance& tolerance, std::span<const std::byte> expected,
              std::span<const std::byte> got) {
  if (!run::compare(element, expected, got, tolerance.ulps).first) return true;
  if (!is_float(element)) return false;
  const double want = as_double(element, expected);
  const double have = as_double(element, got);
  return std::abs(have - want) <= tolerance.absolute + tolerance.relative * std::abs(want);
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

std::string wrong_elements(Scalar element, const Tolerance& tolerance,
                           const std::vector<std::byte>& expected,
                           const std::vector<std::byte>& got) {
  check(expected.size() == got.size(), "compared buffers have equal lengths");
  // Most are right to the bit, or nearly: one pass finds that.
  if (!run::compare(element, expected, got, tolerance.ulps).first) return {};
  const std::size_t size = storage_bytes(element);
  const std::size_t count = expected.size() / size;
  std::size_t wrong = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto want = std::span(expected).subspan(i * size, size);
    if (is_right(element, tolerance, want, std::span(got).subspan(i * size, size))) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return {};
  return fmt::format("element {} is {}, expected {}; {} of {} elements differ", first,
                     run::element_text(got, element, first),
                     run::element_text(expected, element, first), wrong, count);
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
    std::string wrong =
        wrong_elements(expected.element, expected.tolerance, *expected.content, got);
    if (wrong.empty()) continue;
    return Fault{
        Verdict::correctness,
        fmt::format("{}: {}", name_of_argument(candidate, expected.argument), std::move(wrong))};
  }
  return std::nullopt;
}

}  // namespace vyre::trial
