// How a program comes by its configuration at first dispatch: the words of VYRE_AUTOTUNER.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vyre::tune {

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

}  // namespace vyre::tune
