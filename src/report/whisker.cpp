#include "report/whisker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg.h"
#include "report/units.h"

namespace vyre::report {
namespace {

constexpr double middle = cell_height / 2;

void draw(Svg& svg, const LogAxis& axis, const measure::Interval& interval,
          std::string_view style) {
  if (!is_drawable(interval)) return;
  const double low = axis.at(interval.low);
  const double high = axis.at(interval.high);
  svg.line(low, middle, high, middle, style);
  svg.line(low, middle - 4, low, middle + 4, style);
  svg.line(high, middle - 4, high, middle + 4, style);
}

}  // namespace

LogAxis cell_axis(std::span<const double> values) { return {values, 8, cell_width - 8}; }

std::string whisker(const LogAxis& axis, double value, const measure::Interval& interval,
                    std::string_view style) {
  Svg svg(cell_width, cell_height, time_text(value));
  draw(svg, axis, interval, fmt::format("whisker {}", style));
  svg.circle(axis.at(value), middle, 3.4, fmt::format("point {}", style));
  return std::move(svg).finish();
}

std::string ratio_bar(const LogAxis& axis, double ratio, const measure::Interval& interval,
                      std::string_view style) {
  Svg svg(cell_width, cell_height, ratio_text(ratio));
  const double one = axis.at(1);
  const double end = axis.at(ratio);
  svg.rect(std::min(one, end), middle - 6, std::abs(end - one), 12, fmt::format("ratio {}", style));
  svg.line(one, 0, one, cell_height, "one");
  draw(svg, axis, interval, "whisker strong");
  return std::move(svg).finish();
}

std::string ratio_ticks(const LogAxis& axis) {
  Svg svg(cell_width, 20, "speed-up, logarithmic");
  for (const double tick : axis.ticks(3)) {
    const double at = std::clamp(axis.at(tick), 12.0, cell_width - 14);
    svg.text(at, 15, Anchor::middle, "tick", fmt::format("{:.4g}×", tick));
  }
  return std::move(svg).finish();
}

}  // namespace vyre::report
