#include "vyre/tune/options.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace vyre::tune {

ModeChoice mode_of(std::optional<std::string_view> word, Mode unset) {
  constexpr std::array<std::pair<std::string_view, Mode>, 6> words = {{{"on", Mode::sweep},
                                                                       {"natural", Mode::natural},
                                                                       {"ng", Mode::natural},
                                                                       {"live", Mode::live},
                                                                       {"off", Mode::stored},
                                                                       {"default", Mode::stored}}};
  if (!word) return {.mode = unset};
  for (const auto& [name, mode] : words) {
    if (name == *word) return {.mode = mode};
  }
  return {.mode = unset,
          .warning = fmt::format(
              "VYRE_AUTOTUNER is '{}'; it can be on, natural, ng, live, off or default. "
              "It is taken as if it were not set: {}",
              *word, unset == Mode::live ? "live" : "natural")};
}

}  // namespace vyre::tune
