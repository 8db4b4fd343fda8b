#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/utf8.h"

namespace vyre::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

std::string_view escape_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? " " : std::string_view();
  }
}

struct Unit {
  double ms;
  const char* name;
};

Unit unit_of(double ms) {
  constexpr std::array units = {Unit{1e3, "s"}, Unit{1, "ms"}, Unit{1e-3, "µs"}, Unit{1e-6, "ns"}};
  for (const Unit& unit : units) {
    // What rounds to 1000 of a unit is 1 of the next.
    if (ms >= unit.ms * 0.99995) return unit;
  }
  return units.back();
}

// Four digits, zeros at the end included: 1.200, 85.32, 640.1; far off the scale as 1.234e+12.
std::string digits(double value) {
  if (value >= 99'999.5 || value < 0.000'1) return fmt::format("{:.4g}", value);
  // What rounds to 10.00 has no place for a third digit behind the point.
  const int places = 3 - static_cast<int>(std::floor(std::log10(value * 1.000'05)));
  return fmt::format("{:.{}f}", value, std::clamp(places, 0, 7));
}

std::string ratio_digits(double ratio) {
  if (ratio >= 99'999.5 || ratio < 0.01) return fmt::format("{:.3g}", ratio);
  if (ratio >= 100) return fmt::format("{:.0f}", ratio);
  return fmt::format("{:.{}f}", ratio, ratio >= 10 ? 1 : 2);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view escape = length == 1 ? escape_of(text[0]) : std::string_view();
    if (length == 0) {
      out += replacement;
    } else {
      out += escape.empty() ? text.substr(0, length) : escape;
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  std::size_t without_last = 0;
  for (std::size_t count = 0; end < text.size(); ++count) {
    if (count == most) return std::string(text.substr(0, without_last)) + "\u2026";
    without_last = end;
    const std::size_t length = character_length(text.substr(end));
    end += length == 0 ? 1 : length;
  }
  return std::string(text);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string time_text(double ms) {
  const Unit unit = unit_of(ms);
  return fmt::format("{} {}", digits(ms / unit.ms), unit.name);
}

std::string tick_text(double ms) {
  const Unit unit = unit_of(ms);
  return fmt::format("{:.6g} {}", ms / unit.ms, unit.name);
}

std::string interval_text(const measure::Interval& ms) {
  if (!is_drawable(ms) || ms.low == ms.high) return {};
  const Unit unit = unit_of(ms.high);
  return fmt::format("{} – {} {}", digits(ms.low / unit.ms), digits(ms.high / unit.ms), unit.name);
}

std::string ratio_text(double ratio) { return ratio_digits(ratio) + "×"; }

std::string ratio_interval_text(const measure::Interval& ratio) {
  if (!is_drawable(ratio) || ratio.low == ratio.high) return {};
  return fmt::format("{} – {}×", ratio_digits(ratio.low), ratio_digits(ratio.high));
}

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7'200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3'600);
}

std::string date_text(std::chrono::sys_seconds date) {
  const auto day = std::chrono::floor<std::chrono::days>(date);
  const std::chrono::year_month_day ymd(day);
  const std::chrono::hh_mm_ss time(date - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", static_cast<int>(ymd.year()),
                     static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()),
                     time.hours().count(), time.minutes().count());
}

bool is_drawable(double value) { return value >= 1e-30 && value <= 1e30; }

bool is_drawable(const measure::Interval& interval) {
  return is_drawable(interval.low) && is_drawable(interval.high) && interval.low <= interval.high;
}

}  // namespace vyre::report
