#include "vyre/tune/counters.h"

#include <fmt/format.h>

namespace vyre::tune {

std::string_view name_of(Count count) {
  constexpr std::array<std::string_view, count_kinds> names = {"dispatches",
                                                               "tunings",
                                                               "evaluations",
                                                               "decisions that fit exactly",
                                                               "decisions of the nearest size",
                                                               "decisions of another adapter",
                                                               "no decision",
                                                               "compile failures",
                                                               "timeouts",
                                                               "runtime failures",
                                                               "wrong results"};
  return names[static_cast<std::size_t>(count)];
}

std::string to_string(const Counts& counts) {
  std::string text;
  for (std::size_t i = 0; i < count_kinds; ++i) {
    if (counts.of[i] > 0)
      text += fmt::format("{}: {}\n", name_of(static_cast<Count>(i)), counts.of[i]);
  }
  return text;
}

Counts Counters::read() const {
  Counts counts;
  for (std::size_t i = 0; i < count_kinds; ++i) {
    counts.of[i] = of_[i].load(std::memory_order_relaxed);
  }
  return counts;
}

}  // namespace vyre::tune
