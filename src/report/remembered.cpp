#include <fmt/format.h>

#include "report/tables.h"
#include "report/text.h"
#include "report/units.h"

namespace vyre::report {
namespace {

std::string row_of(const Remembered& row) {
  return fmt::format("<tr><th scope=\"row\">{}</th>{}{}{}<td>{}</td><td>{}</td></tr>\n",
                     escaped(shortened(row.kernel, 80)), ratio_cell(row.speedup),
                     time_cell(row.default_ms), time_cell(row.tuned_ms),
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
