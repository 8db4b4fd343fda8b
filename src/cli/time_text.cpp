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

}  // namespace

std::string time_text(double ns) {
  if (ns < 999.5) return fmt::format("{:.0f} ns", ns);
  if (ns < 999.5e3) return rounded(ns / 1e3, 4) + " us";
  if (ns < 999.5e6) return rounded(ns / 1e6, 4) + " ms";
  return rounded(ns / 1e9, 4) + " s";
}

std::string interval_text(const measure::Interval& ns) {
  return fmt::format("{} .. {}", time_text(ns.low), time_text(ns.high));
}

std::string ratio_text(double ratio, const measure::Interval& interval) {
  return fmt::format("{} ({} .. {})", rounded(ratio, 3), rounded(interval.low, 3),
                     rounded(interval.high, 3));
}

}  // namespace vyre::cli
