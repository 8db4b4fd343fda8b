#include "report/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/check.h"
#include "report/text.h"

namespace vyre::report {
namespace {

// The least range that is drawn: below it, differences are not worth a whole plot.
constexpr double least_range = 0.02;

// Multiples of a round step, for ranges within which a logarithm is nearly straight.
std::vector<double> even_ticks(double low, double high, std::size_t most) {
  const double rough = (high - low) / static_cast<double>(most);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough) step = factor * power;
  }
  std::vector<double> ticks;
  for (double k = std::ceil(low / step); k * step <= high; ++k) ticks.push_back(k * step);
  return ticks;
}

// 1, 2 and 5 of every decade, or the decades, or every so many of them.
std::vector<double> decade_ticks(double low, double high, std::size_t most) {
  constexpr std::array within = {0.0, 0.301029995663981, 0.698970004336019};
  const double decades = high - low;
  const bool fine = decades * 3 <= static_cast<double>(most);
  const double stride = std::max(1.0, std::ceil(decades / static_cast<double>(most)));
  std::vector<double> ticks;
  for (double k = std::floor(low / stride) * stride; k <= high; k += stride) {
    for (const double part : within) {
      const bool is_shown = part == 0 || fine;
      if (is_shown && k + part >= low && k + part <= high)
        ticks.push_back(std::pow(10.0, k + part));
    }
  }
  return ticks;
}

constexpr double middle = cell_height / 2;

void draw_interval(Svg& svg, const LogAxis& axis, const measure::Interval& interval,
                   std::string_view style) {
  if (!is_drawable(interval)) return;
  const double low = axis.at(interval.low);
  const double high = axis.at(interval.high);
  svg.line(low, middle, high, middle, style);
  svg.line(low, middle - 4, low, middle + 4, style);
  svg.line(high, middle - 4, high, middle + 4, style);
}

}  // namespace

std::string coordinate(double value) {
  check(std::isfinite(value), "a drawing has only finite coordinates");
  const double tenths = std::round(value * 10) + 0.0;  // + 0.0: no "-0"
  return fmt::format("{}", tenths / 10);
}

Svg::Svg(double width, double height, std::string_view label)
    : out_(fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}">)", coordinate(width),
                       coordinate(height), escaped(label))) {}

Svg& Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  fmt::format_to(std::back_inserter(out_), R"(<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>)",
                 style, coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2));
  return *this;
}

Svg& Svg::rect(double x, double y, double width, double height, std::string_view style,
               std::string_view tip) {
  fmt::format_to(std::back_inserter(out_),
                 R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}")", style, coordinate(x),
                 coordinate(y), coordinate(width), coordinate(height));
  close("rect", tip);
  return *this;
}

Svg& Svg::circle(double x, double y, double radius, std::string_view style, std::string_view tip) {
  fmt::format_to(std::back_inserter(out_), R"(<circle class="{}" cx="{}" cy="{}" r="{}")", style,
                 coordinate(x), coordinate(y), coordinate(radius));
  close("circle", tip);
  return *this;
}

Svg& Svg::path(std::string_view data, std::string_view style, std::string_view tip) {
  fmt::format_to(std::back_inserter(out_), R"(<path class="{}" d="{}")", style, data);
  close("path", tip);
  return *this;
}

Svg& Svg::text(double x, double y, Anchor anchor, std::string_view style, std::string_view text,
               std::string_view tip) {
  constexpr std::string_view anchors[] = {"start", "middle", "end"};
  fmt::format_to(std::back_inserter(out_), R"(<text class="{}" x="{}" y="{}" text-anchor="{}">{})",
                 style, coordinate(x), coordinate(y), anchors[static_cast<int>(anchor)],
                 escaped(text));
  if (!tip.empty()) out_ += fmt::format("<title>{}</title>", escaped(tip));
  out_ += "</text>";
  return *this;
}

std::string Svg::finish() && { return std::move(out_) + "</svg>\n"; }

void Svg::close(std::string_view element, std::string_view tip) {
  if (tip.empty()) {
    out_ += "/>";
  } else {
    out_ += fmt::format("><title>{}</title></{}>", escaped(tip), element);
  }
}

LogAxis::LogAxis(std::span<const double> values, double from, double to) : from_(from), to_(to) {
  const auto [least, greatest] = std::ranges::minmax(values);
  low_ = std::log10(least);
  high_ = std::log10(greatest);
  const double missing = std::max(0.0, least_range - (high_ - low_));
  const double room = missing / 2 + 0.04 * (high_ - low_);
  low_ -= room;
  high_ += room;
}

double LogAxis::at(double value) const {
  const double part = (std::log10(value) - low_) / (high_ - low_);
  return from_ + (to_ - from_) * std::clamp(part, 0.0, 1.0);
}

double LogAxis::value_at(double part) const { return std::pow(10.0, low_ + part * (high_ - low_)); }

std::vector<double> LogAxis::ticks(std::size_t most) const {
  constexpr double nearly_straight = 0.7;  // a factor of five
  if (high_ - low_ > nearly_straight) {
    auto ticks = decade_ticks(low_, high_, most);
    if (ticks.size() > 1) return ticks;
  }
  return even_ticks(value_at(0), value_at(1), most);
}

void time_grid(Svg& svg, const LogAxis& axis, double left, double right, std::size_t most) {
  for (const double tick : axis.ticks(most)) {
    const double y = axis.at(tick);
    svg.line(left, y, right, y, "grid");
    svg.text(left - 6, y + 4, Anchor::end, "tick", tick_text(tick));
  }
}

std::string legend(std::string_view data, std::string_view style, std::string_view words) {
  return fmt::format(
      "<span class=\"key\"><svg viewBox=\"-9 -6 18 12\" aria-hidden=\"true\"><path class=\"{}\" "
      "d=\"M0 0{}\"/></svg>{}</span> ",
      style, data, escaped(words));
}

void Dots::add(double x, double y) {
  data_ += fmt::format("M{} {}h0", coordinate(x), coordinate(y));
}

// With room for the ends of whiskers, which are wider than the line.
LogAxis cell_axis(std::span<const double> values) { return {values, 8, cell_width - 8}; }

std::string whisker(const LogAxis& axis, double value, const measure::Interval& interval,
                    std::string_view style) {
  Svg svg(cell_width, cell_height, time_text(value));
  draw_interval(svg, axis, interval, fmt::format("whisker {}", style));
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
  draw_interval(svg, axis, interval, "whisker strong");
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
