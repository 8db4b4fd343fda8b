#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "report/tables.h"
#include "report/text.h"
#include "report/units.h"
#include "report/whisker.h"

namespace vyre::report {
namespace {

constexpr std::size_t rows = 10;

std::vector<std::size_t> chosen_rows(const Run& run) {
  std::vector<std::size_t> sorted = run.timed();
  std::ranges::stable_sort(sorted, std::less(), [&](std::size_t i) { return run.ms(i); });
  if (sorted.size() > rows) sorted.resize(rows);
  if (run.winner() && std::ranges::find(sorted, *run.winner()) == sorted.end()) {
    sorted.push_back(*run.winner());
  }
  return sorted;
}

// Which parameters have more than one value among all that was tried.
std::vector<std::size_t> varied(const Run& run) {
  std::vector<std::size_t> found;
  const auto& tried = run.results().tried;
  for (std::size_t p = 0; p < run.results().parameters.size(); ++p) {
    const auto differs = [&](const formats::Tried& one) {
      return !space::same(one.values[p], tried[0].values[p]);
    };
    if (std::ranges::any_of(tried, differs)) found.push_back(p);
  }
  return found;
}

LogAxis axis_of(const Run& run, const std::vector<std::size_t>& indices) {
  std::vector<double> values;
  for (const std::size_t i : indices) {
    values.push_back(run.ms(i));
    const auto& interval = run.tried(i).interval_ms;
    if (is_drawable(interval)) values.insert(values.end(), {interval.low, interval.high});
  }
  return cell_axis(values);
}

std::string badges(const Run& run, std::size_t i) {
  std::string out;
  if (i == run.winner()) out += "<b class=\"badge won\">winner</b>";
  if (i == run.original()) out += "<b class=\"badge\">default</b>";
  return out;
}

std::string row(const Run& run, std::size_t i, const LogAxis& axis,
                const std::vector<std::size_t>& parameters) {
  const auto& tried = run.tried(i);
  std::string cells =
      fmt::format("<td class=\"number\">{}{}<small>{}</small></td><td class=\"drawing\">{}</td>",
                  badges(run, i), time_text(run.ms(i)), interval_text(tried.interval_ms),
                  whisker(axis, run.ms(i), tried.interval_ms, i == run.winner() ? "won" : "even"));
  for (const std::size_t p : parameters) {
    cells += fmt::format("<td>{}</td>", escaped(shortened(space::to_string(tried.values[p]), 40)));
  }
  return fmt::format("<tr>{}<td class=\"number\">#{}</td></tr>\n", cells, i + 1);
}

std::string head(const Run& run, const std::vector<std::size_t>& parameters) {
  std::string cells = "<th class=\"number\">Time</th><th class=\"drawing\">95 % interval</th>";
  for (const std::size_t p : parameters) {
    cells += fmt::format("<th>{}</th>", escaped(shortened(run.results().parameters[p], 40)));
  }
  return cells + "<th class=\"number\">Attempt</th>";
}

}  // namespace

std::string fastest(const Run& run) {
  if (run.timed().empty()) return {};
  const auto indices = chosen_rows(run);
  const auto parameters = varied(run);
  const LogAxis axis = axis_of(run, indices);
  std::string lines;
  for (const std::size_t i : indices) lines += row(run, i, axis, parameters);
  return "<h3>Fastest configurations</h3>\n" + table(head(run, parameters), lines) +
         "<p class=\"note\">By the estimate from the search. The winner is decided in a race at "
         "the "
         "end, so it need not be the first.</p>\n";
}

}  // namespace vyre::report
