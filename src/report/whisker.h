// A value with its interval as a drawing of one line, to stand in a cell of a table. All cells of a
// column share an axis.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "measure/statistics.h"
#include "report/axis.h"

namespace vyre::report {

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
