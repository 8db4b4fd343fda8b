// What plots and cells are drawn with: SVG elements, a logarithmic axis, the marks of a legend, and
// values with their intervals.
//
// Sizes are in units of the view box; the page stretches a drawing to the width at hand. What a
// thing looks like is its class in style.h, so that one drawing serves both colour schemes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/statistics.h"

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
  Svg& path(std::string_view data, std::string_view style, std::string_view tip = {});
  Svg& text(double x, double y, Anchor anchor, std::string_view style, std::string_view text,
            std::string_view tip = {});

  [[nodiscard]] std::string finish() &&;

 private:
  void close(std::string_view element, std::string_view tip);

  std::string out_;
};

// A coordinate as short as a tenth of a unit allows.
[[nodiscard]] std::string coordinate(double value);

// SVG path data for dots without tips: the shortest way to write thousands.
class Dots {
 public:
  void add(double x, double y);
  [[nodiscard]] const std::string& data() const { return data_; }

 private:
  std::string data_;
};

// Where a value lies between two edges of a drawing, and which round values to write beside it.
// Times of one kernel differ by factors, so every plot of them is logarithmic.
class LogAxis {
 public:
  // From the least to the greatest of the values, with a little room on both sides. `from` is the
  // edge for small values and may be greater than `to`. Requires: values, all of them
  // drawable (text.h).
  LogAxis(std::span<const double> values, double from, double to);

  // Values outside are drawn at the edge.
  [[nodiscard]] double at(double value) const;
  // The value at a part of the way, 0 to 1.
  [[nodiscard]] double value_at(double part) const;
  // Two to about `most` round values, rising.
  [[nodiscard]] std::vector<double> ticks(std::size_t most) const;

 private:
  double low_ = 0;  // decimal logarithms
  double high_ = 1;
  double from_;
  double to_;
};

// Lines across at round times, with the times at their left end.
void time_grid(Svg& svg, const LogAxis& axis, double left, double right, std::size_t most);

// An entry of a legend: a mark of that class, and what it stands for.
[[nodiscard]] std::string legend(std::string_view data, std::string_view style,
                                 std::string_view words);

// A value with its interval on one line, to stand in a cell of a table. All cells of a column share
// an axis.
inline constexpr double cell_width = 200;
inline constexpr double cell_height = 24;

// The axis of a column, within the cell. Requires: values, drawable.
[[nodiscard]] LogAxis cell_axis(std::span<const double> values);

// A point on its interval; the interval is left out unless it is drawable.
[[nodiscard]] std::string whisker(const LogAxis& axis, double value,
                                  const measure::Interval& interval, std::string_view style);

// A bar from 1 to the ratio, with the interval at its end.
[[nodiscard]] std::string ratio_bar(const LogAxis& axis, double ratio,
                                    const measure::Interval& interval, std::string_view style);

// The round ratios of the axis, for the head of the column.
[[nodiscard]] std::string ratio_ticks(const LogAxis& axis);

}  // namespace vyre::report
