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
    if (!has_speedup(run)) continue;
    values.push_back(run.results().speedup);
    const auto& interval = run.results().speedup_interval;
    if (is_drawable(interval)) values.insert(values.end(), {interval.low, interval.high});
  }
  return cell_axis(values);
}

std::string time_cells(const Run& run, std::optional<std::size_t> i) {
  if (!i) return "<td class=\"number\">–</td>";
  return fmt::format("<td class=\"number\">{}<small>{}</small></td>", time_text(run.ms(*i)),
                     interval_text(run.tried(*i).interval_ms));
}

std::string speedup_cells(const Run& run, const LogAxis& axis) {
  const Verdict verdict = verdict_of(run);
  const std::string_view words = words_of(verdict);
  const std::string badge = words.empty() ? "" : fmt::format("<b class=\"badge\">{}</b>", words);
  if (!has_speedup(run)) return fmt::format("<td class=\"number\">{}</td><td></td>", badge);
  const auto& results = run.results();
  const std::string_view style = verdict == Verdict::faster ? "won" : "even";
  return fmt::format("<td class=\"number\">{}{}<small>{}</small></td><td class=\"drawing\">{}</td>",
                     badge, ratio_text(results.speedup),
                     ratio_interval_text(results.speedup_interval),
                     ratio_bar(axis, results.speedup, results.speedup_interval, style));
}

std::string row(const Run& run, std::size_t kernel, const LogAxis& axis) {
  return fmt::format(
      "<tr><th scope=\"row\"><a href=\"#{}\">{}</a></th>{}{}{}<td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td></tr>\n",
      anchor(kernel), escaped(shortened(run.results().kernel, 80)), speedup_cells(run, axis),
      time_cells(run, run.original()), time_cells(run, run.chosen()), run.results().tried.size(),
      run.failed().size());
}

}  // namespace

std::string summary(const std::vector<Run>& runs) {
  if (runs.empty()) return {};
  const LogAxis axis = axis_of(runs);
  std::string rows;
  for (std::size_t k = 0; k < runs.size(); ++k) rows += row(runs[k], k, axis);
  const std::string head = fmt::format(
      "<th>Kernel</th><th class=\"number\">Speed-up</th><th class=\"drawing\">{}</th>"
      "<th class=\"number\">Default</th><th class=\"number\">Tuned</th>"
      "<th class=\"number\">Tried</th><th class=\"number\">Failed</th>",
      ratio_ticks(axis));
  return "<h2>Summary</h2>\n" + table(head, rows) +
         "<p class=\"note\">Times are of one launch. Small numbers and whiskers are 95 % "
         "intervals; "
         "the speed-up is from a race of both in one run.</p>\n";
}

}  // namespace vyre::report
