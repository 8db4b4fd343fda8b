// One kernel's results sorted for drawing: what has a time, what failed, what is compared with
// what, and what the tuning came to in words. Plots and tables see the results only through this,
// so none of them meets a number that cannot be drawn.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/results.h"

namespace vyre::report {

class ResultsView {
 public:
  // The results must outlive it.
  explicit ResultsView(const formats::Results& results);

  [[nodiscard]] const formats::Results& results() const { return *results_; }
  [[nodiscard]] const formats::Tried& tried(std::size_t i) const { return results_->tried[i]; }
  // As the search measured it.
  [[nodiscard]] double ms(std::size_t i) const { return tried(i).time_ms; }
  // Of the original and the winner as the race measured it, of the others as the search did.
  [[nodiscard]] measure::Estimate time_ms(std::size_t i) const;
  // Of a winner other than the original over it, if there was a race.
  [[nodiscard]] std::optional<measure::Estimate> speedup() const;

  // Indices of what was tried, in its order. What is said to be correct but has no time that could
  // be drawn is among the failed, with Verdict::correct.
  [[nodiscard]] const std::vector<std::size_t>& timed() const { return timed_; }
  [[nodiscard]] const std::vector<std::size_t>& failed() const { return failed_; }
  // The times of what is timed.
  [[nodiscard]] const std::vector<double>& times() const { return times_; }

  // Only if they have a time.
  [[nodiscard]] std::optional<std::size_t> original() const { return original_; }
  [[nodiscard]] std::optional<std::size_t> winner() const { return winner_; }
  // The winner or, if no race was held, the fastest.
  [[nodiscard]] std::optional<std::size_t> chosen() const;

  // "block = 64, unroll = 2", cut off where it gets too long for a tip.
  [[nodiscard]] std::string configuration(std::size_t i) const;
  // "#17: 1.203 ms" and the configuration.
  [[nodiscard]] std::string tip(std::size_t i) const;

 private:
  const formats::Results* results_;
  std::vector<std::size_t> timed_;
  std::vector<std::size_t> failed_;
  std::vector<double> times_;
  std::optional<std::size_t> original_;
  std::optional<std::size_t> winner_;
};

// What a kind of failure is called, and the mark that stands for it: SVG path data within five
// units of the origin. The shapes differ, so that they are told apart without colour.
[[nodiscard]] std::string_view words_of(Verdict failure);
[[nodiscard]] std::string_view mark_of(Verdict failure);

// At most so many of the indices, evenly spread, the first and the last among them.
[[nodiscard]] std::vector<std::size_t> thinned(const std::vector<std::size_t>& indices,
                                               std::size_t most);

// A number alone would claim more than was found, so the page also says what it means.
enum class Conclusion { faster, tied, default_won, slower, no_default, no_race, nothing };
[[nodiscard]] Conclusion conclusion_of(const ResultsView& view);

// For a cell of a table, and in full. Both empty for `faster`: there the numbers say it.
[[nodiscard]] std::string_view badge_of(Conclusion conclusion);
[[nodiscard]] std::string_view sentence_of(Conclusion conclusion);

}  // namespace vyre::report
