#include "report/results_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "report/text.h"

namespace vyre::report {
namespace {

bool is_timed(const formats::Tried& tried) {
  return tried.verdict == Verdict::correct && is_drawable(tried.time_ms);
}

std::optional<std::size_t> if_timed(const formats::Results& results,
                                    std::optional<std::size_t> index) {
  check(!index || *index < results.tried.size(), "the original and the winner were tried");
  return index && is_timed(results.tried[*index]) ? index : std::nullopt;
}

}  // namespace

ResultsView::ResultsView(const formats::Results& results) : results_(&results) {
  for (std::size_t i = 0; i < results.tried.size(); ++i) {
    const auto& tried = results.tried[i];
    check(tried.values.size() == results.parameters.size(), "there is a value for each parameter");
    (is_timed(tried) ? timed_ : failed_).push_back(i);
    if (is_timed(tried)) times_.push_back(tried.time_ms);
  }
  original_ = if_timed(results, results.original);
  winner_ = if_timed(results, results.winner);
}

measure::Estimate ResultsView::time_ms(std::size_t i) const {
  const auto& raced = results_->raced;
  if (raced && i == original_ && is_drawable(raced->original_ms.value)) return raced->original_ms;
  if (raced && i == winner_ && is_drawable(raced->winner_ms.value)) return raced->winner_ms;
  return {ms(i), tried(i).interval_ms};
}

std::optional<measure::Estimate> ResultsView::speedup() const {
  const auto& raced = results_->raced;
  if (!raced || !original_ || !winner_ || original_ == winner_) return {};
  return is_drawable(raced->speedup.value) ? std::optional(raced->speedup) : std::nullopt;
}

std::optional<std::size_t> ResultsView::chosen() const {
  if (winner_ || timed_.empty()) return winner_;
  return *std::ranges::min_element(timed_, {}, [&](std::size_t i) { return ms(i); });
}

std::string ResultsView::configuration(std::size_t i) const {
  constexpr std::size_t longest = 240;
  std::string text;
  for (std::size_t p = 0; p < results_->parameters.size() && text.size() <= longest; ++p) {
    text += fmt::format("{}{} = {}", p == 0 ? "" : ", ", results_->parameters[p],
                        space::to_string(tried(i).values[p]));
  }
  return shortened(text, longest);
}

std::string ResultsView::tip(std::size_t i) const {
  return fmt::format("#{}: {} ({})", i + 1, time_text(ms(i)), configuration(i));
}

std::string_view words_of(Verdict failure) {
  switch (failure) {
    case Verdict::correct:
      return "no usable time";
    case Verdict::compile:
      return "did not compile";
    case Verdict::runtime:
      return "failed while running";
    case Verdict::correctness:
      return "wrong result";
    case Verdict::constraints:
      return "not allowed";
    case Verdict::timeout:
      return "took too long";
  }
  return "";
}

std::string_view mark_of(Verdict failure) {
  switch (failure) {
    case Verdict::correct:
      return "m-4 0h8";
    case Verdict::compile:
      return "m-3.5-3.5l7 7m0-7l-7 7";
    case Verdict::runtime:
      return "m0-4.5l4.5 8h-9z";
    case Verdict::correctness:
      return "m-3.5-3.5h7v7h-7z";
    case Verdict::constraints:
      return "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z";
    case Verdict::timeout:
      return "m-4-4h8l-8 8h8z";
  }
  return "";
}

std::vector<std::size_t> thinned(const std::vector<std::size_t>& indices, std::size_t most) {
  if (indices.size() <= most) return indices;
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < most; ++k) {
    kept.push_back(indices[k * (indices.size() - 1) / (most - 1)]);
  }
  return kept;
}

Conclusion conclusion_of(const ResultsView& view) {
  if (view.timed().empty()) return Conclusion::nothing;
  if (!view.winner()) return Conclusion::no_race;
  if (!view.original()) return Conclusion::no_default;
  if (view.results().tied) return Conclusion::tied;
  if (view.winner() == view.original()) return Conclusion::default_won;
  const auto speedup = view.speedup();
  return speedup && speedup->value < 1 ? Conclusion::slower : Conclusion::faster;
}

std::string_view badge_of(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::faster:
      return "";
    case Conclusion::tied:
      return "tied";
    case Conclusion::default_won:
      return "default won";
    case Conclusion::slower:
      return "slower";
    case Conclusion::no_default:
      return "default failed";
    case Conclusion::no_race:
      return "no race";
    case Conclusion::nothing:
      return "nothing correct";
  }
  return "";
}

std::string_view sentence_of(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::faster:
      return "";
    case Conclusion::tied:
      return "Tied with the default: the difference is within the noise.";
    case Conclusion::default_won:
      return "The default is the fastest that was found.";
    case Conclusion::slower:
      return "Slower than the default.";
    case Conclusion::no_default:
      return "There is no time of the default to compare with.";
    case Conclusion::no_race:
      return "No race was held at the end: the fastest is the one with the least estimate.";
    case Conclusion::nothing:
      return "No configuration gave a correct result and a time.";
  }
  return "";
}

}  // namespace vyre::report
