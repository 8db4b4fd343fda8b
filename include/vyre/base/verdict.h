// What became of one configuration that was tried: the one word for it from the worker to the
// search, the files of others and the report. The names are those of the T4 format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vyre {

enum class Verdict : std::uint8_t {
  correct,
  compile,      // the compiler refused it, or crashed on it
  timeout,      // compiling or running took longer than its limit
  runtime,      // a signal, an error of the driver, a write out of bounds
  correctness,  // a wrong element
  constraints,  // it needs more than the device has
};
inline constexpr std::size_t verdict_kinds = 6;
[[nodiscard]] std::string_view name_of(Verdict verdict);

}  // namespace vyre
