#include <fmt/format.h>

#include "report/tables.h"
#include "report/text.h"
#include "report/units.h"
#include "report/verdict.h"
#include "report/whisker.h"

namespace vyre::report {
namespace {

LogAxis axis_of(const std::vector<Run>& runs) {
  std::vector<double> values = {1, 1.25};
  for (const Run& run : runs) {
    const auto speedup = run.speedup();
    if (!speedup) continue;
    values.push_back(speedup->value);
    const auto& interval = speedup->interval;
    if (is_drawable(interval)) values.insert(values.end(), {interval.low, interval.high});
  }
  return cell_axis(values);
}

std::string time_cell_of(const Run& run, std::optional<std::size_t> i) {
  return time_cell(i ? std::optional(run.time_ms(*i)) : std::nullopt);
}

std::string speedup_cell(const Run& run) {
  const std::string_view words = words_of(verdict_of(run));
  const auto speedup = run.speedup();
  if (words.empty()) return ratio_cell(speedup);
  return fmt::format("<td class=\"number\"><b class=\"badge\">{}</b>{}<small>{}</small></td>",
                     words, speedup ? ratio_text(speedup->value) : "",
                     speedup ? ratio_interval_text(speedup->interval) : "");
}

std::string drawing_cell(const Run& run, const LogAxis& axis) {
  const auto speedup = run.speedup();
  if (!speedup) return "<td></td>";
  const std::string_view style = verdict_of(run) == Verdict::faster ? "won" : "even";
  return fmt::format("<td class=\"drawing\">{}</td>",
                     ratio_bar(axis, speedup->value, speedup->interval, style));
}

std::string row(const Run& run, std::size_t kernel, const LogAxis& axis) {
  return fmt::format(
      "<tr><th scope=\"row\"><a href=\"#{}\">{}</a></th>{}{}{}{}<td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td></tr>\n",
      anchor(kernel), escaped(shortened(run.results().kernel, 80)), speedup_cell(run),
      time_cell_of(run, run.original()), time_cell_of(run, run.chosen()), drawing_cell(run, axis),
      run.results().tried.size(), run.failed().size());
}

}  // namespace

std::string summary(const std::vector<Run>& runs) {
  if (runs.empty()) return {};
  const LogAxis axis = axis_of(runs);
  std::string rows;
  for (std::size_t k = 0; k < runs.size(); ++k) rows += row(runs[k], k, axis);
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

}  // namespace vyre::report
