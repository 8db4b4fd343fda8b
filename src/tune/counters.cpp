#include "vyre/tune/counters.h"

#include <fmt/format.h>

#include "primitives/calls.h"

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

Count count_of(store::Match match) {
  switch (match) {
    case store::Match::exact:
      return Count::exact_matches;
    case store::Match::nearest_size:
      return Count::nearest_matches;
    case store::Match::other_adapter:
      return Count::other_adapter_matches;
    case store::Match::nothing:
      return Count::no_matches;
  }
  return Count::no_matches;
}

std::optional<Count> count_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::compile:
      return Count::compile_failures;
    case Verdict::timeout:
      return Count::timeouts;
    case Verdict::runtime:
      return Count::runtime_failures;
    case Verdict::correctness:
      return Count::wrong_results;
    case Verdict::correct:
    case Verdict::constraints:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string to_string(const Counts& counts) {
  std::string text;
  for (std::size_t i = 0; i < count_kinds; ++i) {
    if (counts.of[i] > 0)
      text += fmt::format("{}: {}\n", name_of(static_cast<Count>(i)), counts.of[i]);
  }
  for (const auto& [program, calls] : counts.primitives) {
    text += fmt::format("calls of {}: {}\n", program, calls);
  }
  return text;
}

Counts Counters::read() const {
  Counts counts;
  for (primitives::Calls& calls : primitives::calls()) {
    counts.primitives.emplace_back(std::move(calls.program), calls.count);
  }
  for (std::size_t i = 0; i < count_kinds; ++i) {
    counts.of[i] = of_[i].load(std::memory_order_relaxed);
  }
  return counts;
}

}  // namespace vyre::tune
