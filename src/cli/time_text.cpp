#include "cli/time_text.h"

#include <fmt/format.h>

namespace vyre::cli {
namespace {

// With this many digits, or all that are before the point.
std::string rounded(double number, int digits) {
  int after = digits - 1;
  for (double reach = 10; number >= reach && after > 0; reach *= 10) --after;
  return fmt::format("{:.{}f}", number, after);
}

struct Unit {
  double ns;
  const char* name;
};

Unit unit_of(double ns) {
  if (ns < 999.5) return {1, "ns"};
  if (ns < 999.5e3) return {1e3, "us"};
  if (ns < 999.5e6) return {1e6, "ms"};
  return {1e9, "s"};
}

std::string number_text(double ns, const Unit& unit) {
  return unit.ns == 1 ? fmt::format("{:.0f}", ns) : rounded(ns / unit.ns, 4);
}

}  // namespace

std::string time_text(double ns) {
  const Unit unit = unit_of(ns);
  return fmt::format("{} {}", number_text(ns, unit), unit.name);
}

std::string interval_text(const measure::Interval& ns) {
  return fmt::format("{} .. {}", time_text(ns.low), time_text(ns.high));
}

std::string estimate_text(double ns, const measure::Interval& interval) {
  if (interval.low == interval.high) return time_text(ns);
  const Unit unit = unit_of(ns);
  return fmt::format("{} ({} .. {})", time_text(ns), number_text(interval.low, unit),
                     number_text(interval.high, unit));
}

std::string ratio_text(double ratio, const measure::Interval& interval) {
  if (interval.low == interval.high) return rounded(ratio, 3);
  return fmt::format("{} ({} .. {})", rounded(ratio, 3), rounded(interval.low, 3),
                     rounded(interval.high, 3));
}

}  // namespace vyre::cli
