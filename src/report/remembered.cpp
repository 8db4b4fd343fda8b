#include <fmt/format.h>

#include "report/tables.h"
#include "report/text.h"
#include "report/units.h"

namespace vyre::report {
namespace {

std::string time_or_dash(std::optional<double> ms) {
  return ms && is_drawable(*ms) ? time_text(*ms) : "–";
}

std::string speedup(const Remembered& row) {
  if (!row.default_ms || !is_drawable(*row.default_ms) || !is_drawable(row.tuned_ms)) return "–";
  return ratio_text(*row.default_ms / row.tuned_ms);
}

std::string row_of(const Remembered& row) {
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>"
      "<td class=\"number\">{}<small>{}</small></td><td>{}</td><td>{}</td></tr>\n",
      escaped(shortened(row.kernel, 80)), speedup(row), time_or_dash(row.default_ms),
      time_or_dash(row.tuned_ms), interval_text(row.interval_ms),
      escaped(shortened(row.configuration, 300)), date_text(row.date));
}

}  // namespace

std::string remembered(const std::vector<Remembered>& rows) {
  if (rows.empty()) return {};
  std::string lines;
  for (const Remembered& row : rows) lines += row_of(row);
  return "<section><h2>Remembered</h2>\n<p class=\"note\">Not searched this time: the store had a "
         "decision for exactly this.</p>\n" +
         table(
             "<th>Kernel</th><th class=\"number\">Speed-up</th><th class=\"number\">Default</th>"
             "<th class=\"number\">Tuned</th><th>Configuration</th><th>Decided</th>",
             lines) +
         "</section>\n";
}

}  // namespace vyre::report
