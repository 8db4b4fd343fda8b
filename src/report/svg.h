// One drawing, written element by element. Sizes are in units of the view box; the page stretches
// it to the width at hand. What a thing looks like is its class in style.cpp, so that one drawing
// serves both colour schemes.
#pragma once

#include <string>
#include <string_view>

namespace vyre::report {

enum class Anchor { start, middle, end };

class Svg {
 public:
  // `label` says what is drawn to those who cannot see it.
  Svg(double width, double height, std::string_view label);

  // A tip is the text that shows under the pointer. Texts and tips are escaped here.
  Svg& line(double x1, double y1, double x2, double y2, std::string_view style);
  Svg& rect(double x, double y, double width, double height, std::string_view style,
            std::string_view tip = {});
  Svg& circle(double x, double y, double radius, std::string_view style, std::string_view tip = {});
  Svg& path(std::string_view steps, std::string_view style, std::string_view tip = {});
  Svg& text(double x, double y, Anchor anchor, std::string_view style, std::string_view text,
            std::string_view tip = {});

  [[nodiscard]] std::string finish() &&;

 private:
  void close(std::string_view element, std::string_view tip);

  std::string out_;
};

// A coordinate as short as a tenth of a unit allows.
[[nodiscard]] std::string coordinate(double value);

}  // namespace vyre::report
