#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/plots.h"
#include "report/text.h"
#include "report/units.h"

namespace vyre::report {
namespace {

constexpr double width = 480;
constexpr double height = 310;
constexpr double left = 44;
constexpr double right = 470;
constexpr double top = 44;
constexpr double bottom = 272;
constexpr std::size_t bins = 28;

// The least of 1, 2, 5, 10, 20... that gives at most four lines.
std::size_t step_of(std::size_t most) {
  std::size_t power = 1;
  while (true) {
    for (const std::size_t factor : {1U, 2U, 5U}) {
      if (factor * power * 4 >= most) return factor * power;
    }
    power *= 10;
  }
}

class Drawing {
 public:
  explicit Drawing(const Run& run)
      : run_(run),
        axis_(run.times(), left, right),
        svg_(width, height, "How many configurations are how fast") {
    for (const double ms : run.times()) {
      const double part = (axis_.at(ms) - left) / (right - left);
      ++counts_[std::min(static_cast<std::size_t>(part * bins), bins - 1)];
    }
    most_ = std::ranges::max(counts_);
  }

  std::string draw() {
    grid();
    for (std::size_t b = 0; b < bins; ++b) bar(b);
    svg_.line(left, bottom, right, bottom, "edge");
    // Two lines of labels above the plot, so that the marks may be as close as they like.
    if (run_.original()) mark(*run_.original(), "default ", 14, "original");
    if (run_.chosen()) mark(*run_.chosen(), run_.winner() ? "tuned " : "best ", 32, "best");
    return std::move(svg_).finish();
  }

 private:
  [[nodiscard]] double y(double count) const {
    return bottom - (bottom - top) * count / static_cast<double>(most_);
  }

  void grid() {
    const std::size_t step = step_of(most_);
    for (std::size_t count = step; count <= most_; count += step) {
      const double at = y(static_cast<double>(count));
      svg_.line(left, at, right, at, "grid");
      svg_.text(left - 6, at + 4, Anchor::end, "tick", fmt::to_string(count));
    }
    for (const double tick : axis_.ticks(5)) {
      svg_.line(axis_.at(tick), bottom, axis_.at(tick), bottom + 4, "edge");
      const double at = std::clamp(axis_.at(tick), left + 10, right - 24);
      svg_.text(at, bottom + 18, Anchor::middle, "tick", tick_text(tick));
    }
    svg_.text((left + right) / 2, bottom + 36, Anchor::middle, "tick", "time of one launch");
  }

  void bar(std::size_t b) {
    if (counts_[b] == 0) return;
    constexpr double step = (right - left) / bins;
    const double at = y(static_cast<double>(counts_[b]));
    const auto edge = [](std::size_t k) { return static_cast<double>(k) / bins; };
    const std::string tip =
        fmt::format("{} from {} to {}", counted(counts_[b], "configuration"),
                    time_text(axis_.value_at(edge(b))), time_text(axis_.value_at(edge(b + 1))));
    svg_.rect(left + step * static_cast<double>(b) + 1, at, step - 2, bottom - at, "bar", tip);
  }

  void mark(std::size_t i, std::string_view words, double text_y, std::string_view style) {
    const double x = axis_.at(run_.ms(i));
    const bool to_the_right = x < (left + right) / 2;
    svg_.line(x, text_y - 10, x, bottom, style);
    svg_.text(x + (to_the_right ? 6 : -6), text_y, to_the_right ? Anchor::start : Anchor::end,
              fmt::format("{} label", style), std::string(words) + time_text(run_.ms(i)));
  }

  const Run& run_;
  LogAxis axis_;
  Svg svg_;
  std::array<std::size_t, bins> counts_ = {};
  std::size_t most_ = 0;
};

}  // namespace

std::string distribution(const Run& run) {
  if (run.timed().empty()) return {};
  const std::string caption =
      legend("m-4 5v-10h8v10z", "bar", "configurations with a correct result");
  return figure("Distribution", Drawing(run).draw(), caption);
}

}  // namespace vyre::report
