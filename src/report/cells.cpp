#include <fmt/format.h>

#include "report/tables.h"
#include "report/units.h"

namespace vyre::report {
namespace {

std::string cell(std::string_view number, std::string_view interval) {
  return fmt::format("<td class=\"number\">{}<small>{}</small></td>", number, interval);
}

constexpr std::string_view empty = "<td class=\"number\">–</td>";

}  // namespace

std::string time_cell(const std::optional<measure::Estimate>& ms) {
  if (!ms || !is_drawable(ms->value)) return std::string(empty);
  return cell(time_text(ms->value), interval_text(ms->interval));
}

std::string ratio_cell(const std::optional<measure::Estimate>& ratio) {
  if (!ratio || !is_drawable(ratio->value)) return std::string(empty);
  return cell(ratio_text(ratio->value), ratio_interval_text(ratio->interval));
}

}  // namespace vyre::report
