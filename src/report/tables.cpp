#include "report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>

#include "report/drawing.h"
#include "report/text.h"

namespace vyre::report {
namespace {

// In a box of its own, in which it scrolls where it is wider than the page.
std::string table(std::string_view head, std::string_view rows) {
  return fmt::format(
      "<div class=\"wide\" tabindex=\"0\"><table><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>"
      "</table></div>\n",
      head, rows);
}

// A number and its interval; a dash where there is none that could be shown.
std::string cell(std::string_view number, std::string_view interval) {
  return fmt::format("<td class=\"number\">{}<small>{}</small></td>", number, interval);
}

constexpr std::string_view empty_cell = "<td class=\"number\">–</td>";

std::string time_cell(const std::optional<measure::Estimate>& ms) {
  if (!ms || !is_drawable(ms->value)) return std::string(empty_cell);
  return cell(time_text(ms->value), interval_text(ms->interval));
}

std::string ratio_cell(const std::optional<measure::Estimate>& ratio) {
  if (!ratio || !is_drawable(ratio->value)) return std::string(empty_cell);
  return cell(ratio_text(ratio->value), ratio_interval_text(ratio->interval));
}

// Bars begin at 1, and differences within the noise must not fill the column.
LogAxis speedup_axis(const std::vector<ResultsView>& views) {
  std::vector<double> values = {1, 1.25};
  for (const ResultsView& view : views) {
    const auto speedup = view.speedup();
    if (!speedup) continue;
    values.push_back(speedup->value);
    const auto& interval = speedup->interval;
    if (is_drawable(interval)) values.insert(values.end(), {interval.low, interval.high});
  }
  return cell_axis(values);
}

std::string time_cell_of(const ResultsView& view, std::optional<std::size_t> i) {
  return time_cell(i ? std::optional(view.time_ms(*i)) : std::nullopt);
}

std::string speedup_cell(const ResultsView& view) {
  const std::string_view words = badge_of(conclusion_of(view));
  const auto speedup = view.speedup();
  if (words.empty()) return ratio_cell(speedup);
  return fmt::format("<td class=\"number\"><b class=\"badge\">{}</b>{}<small>{}</small></td>",
                     words, speedup ? ratio_text(speedup->value) : "",
                     speedup ? ratio_interval_text(speedup->interval) : "");
}

std::string drawing_cell(const ResultsView& view, const LogAxis& axis) {
  const auto speedup = view.speedup();
  if (!speedup) return "<td></td>";
  const std::string_view style = conclusion_of(view) == Conclusion::faster ? "won" : "even";
  return fmt::format("<td class=\"drawing\">{}</td>",
                     ratio_bar(axis, speedup->value, speedup->interval, style));
}

std::string summary_row(const ResultsView& view, std::size_t kernel, const LogAxis& axis) {
  return fmt::format(
      "<tr><th scope=\"row\"><a href=\"#{}\">{}</a></th>{}{}{}{}<td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td></tr>\n",
      anchor(kernel), escaped(shortened(view.results().kernel, 80)), speedup_cell(view),
      time_cell_of(view, view.original()), time_cell_of(view, view.chosen()),
      drawing_cell(view, axis), view.results().tried.size(), view.failed().size());
}

std::string remembered_row(const Remembered& row) {
  return fmt::format("<tr><th scope=\"row\">{}</th>{}{}{}<td>{}</td><td>{}</td></tr>\n",
                     escaped(shortened(row.kernel, 80)), ratio_cell(row.speedup),
                     time_cell(row.default_ms), time_cell(row.tuned_ms),
                     escaped(shortened(row.configuration, 300)), date_text(row.date));
}

constexpr std::size_t most_fastest = 10;

std::vector<std::size_t> chosen_rows(const ResultsView& view) {
  std::vector<std::size_t> sorted = view.timed();
  std::ranges::stable_sort(sorted, std::less(), [&](std::size_t i) { return view.ms(i); });
  if (sorted.size() > most_fastest) sorted.resize(most_fastest);
  if (view.winner() && std::ranges::find(sorted, *view.winner()) == sorted.end()) {
    sorted.push_back(*view.winner());
  }
  return sorted;
}

// Which parameters have more than one value among all that was tried.
std::vector<std::size_t> varied(const ResultsView& view) {
  std::vector<std::size_t> found;
  const auto& tried = view.results().tried;
  for (std::size_t p = 0; p < view.results().parameters.size(); ++p) {
    const auto differs = [&](const formats::Tried& one) {
      return !space::same(one.values[p], tried[0].values[p]);
    };
    if (std::ranges::any_of(tried, differs)) found.push_back(p);
  }
  return found;
}

LogAxis time_axis(const ResultsView& view, const std::vector<std::size_t>& indices) {
  std::vector<double> values;
  for (const std::size_t i : indices) {
    values.push_back(view.ms(i));
    const auto& interval = view.tried(i).interval_ms;
    if (is_drawable(interval)) values.insert(values.end(), {interval.low, interval.high});
  }
  return cell_axis(values);
}

std::string badges(const ResultsView& view, std::size_t i) {
  std::string out;
  if (i == view.winner()) out += "<b class=\"badge won\">winner</b>";
  if (i == view.original()) out += "<b class=\"badge\">default</b>";
  return out;
}

std::string fastest_row(const ResultsView& view, std::size_t i, const LogAxis& axis,
                        const std::vector<std::size_t>& parameters) {
  const auto& tried = view.tried(i);
  std::string cells = fmt::format(
      "<td class=\"number\">{}{}<small>{}</small></td><td class=\"drawing\">{}</td>",
      badges(view, i), time_text(view.ms(i)), interval_text(tried.interval_ms),
      whisker(axis, view.ms(i), tried.interval_ms, i == view.winner() ? "won" : "even"));
  for (const std::size_t p : parameters) {
    cells += fmt::format("<td>{}</td>", escaped(shortened(space::to_string(tried.values[p]), 40)));
  }
  return fmt::format("<tr>{}<td class=\"number\">#{}</td></tr>\n", cells, i + 1);
}

std::string fastest_head(const ResultsView& view, const std::vector<std::size_t>& parameters) {
  std::string cells = "<th class=\"number\">Time</th><th class=\"drawing\">95 % interval</th>";
  for (const std::size_t p : parameters) {
    cells += fmt::format("<th>{}</th>", escaped(shortened(view.results().parameters[p], 40)));
  }
  return cells + "<th class=\"number\">Attempt</th>";
}

constexpr std::size_t longest_reason = 180;
constexpr std::size_t most_reasons = 3;

struct Kind {
  Verdict verdict;
  std::size_t count = 0;
  std::map<std::string, std::size_t> reasons;
};

std::vector<Kind> counted_kinds(const ResultsView& view) {
  std::map<Verdict, Kind> by_verdict;
  for (const std::size_t i : view.failed()) {
    const auto& tried = view.tried(i);
    Kind& kind = by_verdict.emplace(tried.verdict, Kind{tried.verdict}).first->second;
    ++kind.count;
    // Counted as they are shown: long ones may differ only in what is cut off.
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

std::string failure_row(const Kind& kind, std::size_t most) {
  return fmt::format(
      "<div class=\"failure\"><p>{}<b>{}</b></p>\n<div class=\"track\"><i "
      "style=\"width:{:.1f}%\"></i>"
      "</div>\n{}</div>\n",
      legend(mark_of(kind.verdict), "fail", words_of(kind.verdict)), kind.count,
      100.0 * static_cast<double>(kind.count) / static_cast<double>(most), reasons(kind));
}

}  // namespace

std::string anchor(std::size_t kernel) { return fmt::format("kernel-{}", kernel + 1); }

std::string summary(const std::vector<ResultsView>& views) {
  if (views.empty()) return {};
  const LogAxis axis = speedup_axis(views);
  std::string rows;
  for (std::size_t k = 0; k < views.size(); ++k) rows += summary_row(views[k], k, axis);
  const std::string head = fmt::format(
      "<th>Kernel</th><th class=\"number\">Speed-up</th><th class=\"number\">Default</th>"
      "<th class=\"number\">Tuned</th><th class=\"drawing\">{}</th>"
      "<th class=\"number\">Tried</th><th class=\"number\">Failed</th>",
      ratio_ticks(axis));
  return "<h2>Summary</h2>\n" + table(head, rows) +
         "<p class=\"note\">Times are of one launch, from a race of the default and the tuned "
         "program in the same minute; the plots below show the search before it. Small numbers and "
         "whiskers are 95 % intervals.</p>\n";
}

std::string remembered(const std::vector<Remembered>& rows) {
  if (rows.empty()) return {};
  std::string lines;
  for (const Remembered& row : rows) lines += remembered_row(row);
  return "<section><h2>Remembered</h2>\n<p class=\"note\">Not searched this time: the store had a "
         "decision for exactly this.</p>\n" +
         table(
             "<th>Kernel</th><th class=\"number\">Speed-up</th><th class=\"number\">Default</th>"
             "<th class=\"number\">Tuned</th><th>Configuration</th><th>Decided</th>",
             lines) +
         "</section>\n";
}

std::string fastest(const ResultsView& view) {
  if (view.timed().empty()) return {};
  const auto indices = chosen_rows(view);
  const auto parameters = varied(view);
  const LogAxis axis = time_axis(view, indices);
  std::string lines;
  for (const std::size_t i : indices) lines += fastest_row(view, i, axis, parameters);
  return "<h3>Fastest configurations</h3>\n" + table(fastest_head(view, parameters), lines) +
         "<p class=\"note\">By the estimate from the search. The winner is decided in a race at "
         "the "
         "end, so it need not be the first.</p>\n";
}

std::string failures(const ResultsView& view) {
  if (view.failed().empty()) return {};
  const auto kinds = counted_kinds(view);
  std::string rows;
  for (const Kind& kind : kinds) rows += failure_row(kind, kinds[0].count);
  return fmt::format(
      "<div class=\"failures\"><h3>Failures</h3>\n<p class=\"note\">{} of {} failed.</p>\n<div "
      "class=\"kinds\">\n"
      "{}</div></div>\n",
      view.failed().size(), counted(view.results().tried.size(), "attempt"), rows);
}

}  // namespace vyre::report
