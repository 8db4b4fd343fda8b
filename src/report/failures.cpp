#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>

#include "report/plots.h"
#include "report/text.h"

namespace vyre::report {
namespace {

constexpr std::size_t longest_reason = 180;
constexpr std::size_t most_reasons = 3;

struct Kind {
  Verdict verdict;
  std::size_t count = 0;
  std::map<std::string, std::size_t> reasons;
};

std::vector<Kind> kinds_of(const Run& run) {
  std::map<Verdict, Kind> by_verdict;
  for (const std::size_t i : run.failed()) {
    const auto& tried = run.tried(i);
    Kind& kind = by_verdict.emplace(tried.verdict, Kind{tried.verdict}).first->second;
    ++kind.count;
    if (!tried.reason.empty()) ++kind.reasons[shortened(tried.reason, longest_reason)];
  }
  std::vector<Kind> kinds;
  for (auto& [verdict, kind] : by_verdict) kinds.push_back(std::move(kind));
  std::ranges::stable_sort(kinds, std::greater(), &Kind::count);
  return kinds;
}

std::string reasons(const Kind& kind) {
  std::vector<std::pair<std::string, std::size_t>> sorted(kind.reasons.begin(), kind.reasons.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& entry) { return entry.second; });
  std::string out;
  for (const auto& [reason, count] : sorted | std::views::take(most_reasons)) {
    out += fmt::format("<li><span>{}×</span> <code>{}</code></li>\n", count, escaped(reason));
  }
  if (sorted.size() > most_reasons) {
    out += fmt::format("<li class=\"note\">and {}</li>\n",
                       counted(sorted.size() - most_reasons, "other reason"));
  }
  return out.empty() ? out : fmt::format("<ul>\n{}</ul>\n", out);
}

std::string row(const Kind& kind, std::size_t most) {
  return fmt::format(
      "<div class=\"failure\"><p>{}<b>{}</b></p>\n<div class=\"track\"><i "
      "style=\"width:{:.1f}%\"></i>"
      "</div>\n{}</div>\n",
      legend(mark_of(kind.verdict), "fail", words_of(kind.verdict)), kind.count,
      100.0 * static_cast<double>(kind.count) / static_cast<double>(most), reasons(kind));
}

}  // namespace

std::string failures(const Run& run) {
  if (run.failed().empty()) return {};
  const auto kinds = kinds_of(run);
  std::string rows;
  for (const Kind& kind : kinds) rows += row(kind, kinds[0].count);
  return fmt::format(
      "<div class=\"failures\"><h3>Failures</h3>\n<p class=\"note\">{} of {} failed.</p>\n<div "
      "class=\"kinds\">\n"
      "{}</div></div>\n",
      run.failed().size(), counted(run.results().tried.size(), "attempt"), rows);
}

}  // namespace vyre::report
