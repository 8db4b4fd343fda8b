// How a program comes by its configuration: how much a search may cost, which one it is, and the
// words of VYRE_AUTOTUNER.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vyre::tune {

// What happens at the first dispatch.
enum class Mode : std::uint8_t {
  sweep,    // "on": measures every candidate
  natural,  // "natural", "ng", or nothing: searches with the natural-gradient policy
  stored,   // "off", "default": what the store has, else the default workgroup
};

struct ModeChoice {
  Mode mode = Mode::natural;
  std::string warning;  // for the user, once; empty if the word was understood
};

// Of the variable's value, nothing if it is not set. The only reader of the environment is cli.
[[nodiscard]] ModeChoice mode_of(std::optional<std::string_view> word);

struct TuneOptions {
  std::string strategy = "natural";  // see search::make_strategy
  std::uint64_t seed = 0;
  std::size_t evaluations = 200;                             // configurations tried at most
  std::chrono::nanoseconds time = std::chrono::seconds(30);  // for trying, not for the last race
  // Processes that build and verify side by side; 0: one for each core, up to four. Only one
  // measures at a time, while the others rest.
  std::size_t workers = 0;
};

}  // namespace vyre::tune
