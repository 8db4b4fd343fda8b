// What the page says in words and numbers: text from outside made safe to stand in HTML, and times,
// ratios and dates as people read them.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "measure/statistics.h"

namespace vyre::report {

// For content and for attributes in double quotes. Control characters become spaces and what is
// not UTF-8 the replacement character, so that a damaged message cannot damage the page.
[[nodiscard]] std::string escaped(std::string_view text);

// At most so many characters, the last an ellipsis where something was cut off. Not escaped yet.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

// "1 kernel", "2 kernels".
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

// Four digits and a unit: "85.32 µs", "1.204 ms". Requires: drawable.
[[nodiscard]] std::string time_text(double ms);
// For axes: as many digits as the number needs, "50 µs".
[[nodiscard]] std::string tick_text(double ms);
// "1.20 – 1.22 ms", one unit for both; empty unless it is drawable and wider than a point, which is
// all that one sample says.
[[nodiscard]] std::string interval_text(const measure::Interval& ms);

// "2.31×". Requires: drawable.
[[nodiscard]] std::string ratio_text(double ratio);
[[nodiscard]] std::string ratio_interval_text(const measure::Interval& ratio);

// How long a run took: "0.4 s", "34 s", "12 min", "3.1 h".
[[nodiscard]] std::string duration_text(double seconds);

// "2026-11-16 03:00 UTC".
[[nodiscard]] std::string date_text(std::chrono::sys_seconds date);

// Whether it is a number above 0 that an axis can have, which excludes what no clock has ever
// shown.
[[nodiscard]] bool is_drawable(double value);
[[nodiscard]] bool is_drawable(const measure::Interval& interval);

}  // namespace vyre::report
