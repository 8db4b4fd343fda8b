#include "report/svg.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/check.h"
#include "report/text.h"

namespace vyre::report {

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

Svg& Svg::path(std::string_view steps, std::string_view style, std::string_view tip) {
  fmt::format_to(std::back_inserter(out_), R"(<path class="{}" d="{}")", style, steps);
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

}  // namespace vyre::report
