#include "report/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "report/drawing.h"
#include "report/text.h"

namespace vyre::report {
namespace {

std::string figure(std::string_view heading, std::string_view drawing, std::string_view caption) {
  return fmt::format("<figure class=\"plot\"><h3>{}</h3>\n{}<figcaption>{}</figcaption></figure>\n",
                     escaped(heading), drawing, caption);
}

constexpr double width = 480;
constexpr double height = 310;
constexpr double right = 470;
constexpr double bottom = 272;

using Kinds = std::set<Verdict>;

Kinds kinds_of(const ResultsView& view) {
  Kinds kinds;
  for (const std::size_t i : view.failed()) kinds.insert(view.tried(i).verdict);
  return kinds;
}

class SearchPlot {
  static constexpr double left = 66;
  static constexpr double lane = 12;  // each kind of failure has its own, above the times
  static constexpr double floor_of_times = 252;  // leaves room for a label below the line
  // Beyond these a page would grow with the search, and more could not be told apart.
  static constexpr std::size_t most_dots = 2'000;
  static constexpr std::size_t most_tips = 500;  // beyond it only what improved has one
  static constexpr std::size_t most_improvements = 400;
  static constexpr std::size_t most_marks = 36;  // of one kind of failure: the room of a lane

 public:
  explicit SearchPlot(const ResultsView& view)
      : view_(view),
        kinds_(kinds_of(view)),
        axis_(view.times(), floor_of_times, 12 + lane * static_cast<double>(kinds_.size())),
        svg_(width, height, "Time of every attempt, and the best so far") {}

  std::string draw() {
    time_grid(svg_, axis_, left, right, 6);
    numbers();
    fails();
    original();
    others();
    best();
    winner();
    labels();
    return std::move(svg_).finish();
  }

 private:
  [[nodiscard]] double x(std::size_t i) const {
    // A single attempt has no range to lie in: it stands at the left.
    const auto last =
        static_cast<double>(std::max<std::size_t>(view_.results().tried.size(), 2) - 1);
    return left + 6 + (right - left - 12) * static_cast<double>(i) / last;
  }
  [[nodiscard]] double y(std::size_t i) const { return axis_.at(view_.ms(i)); }

  void numbers() {
    const std::size_t count = view_.results().tried.size();
    svg_.line(left, bottom, right, bottom, "edge");
    svg_.text(x(0), bottom + 17, Anchor::middle, "tick", "1");
    if (count > 1) svg_.text(x(count - 1), bottom + 17, Anchor::end, "tick", fmt::to_string(count));
    svg_.text((left + right) / 2, bottom + 34, Anchor::middle, "tick", "attempt");
  }

  void fails() {
    double at = lane / 2;
    for (const auto kind : kinds_) {
      std::vector<std::size_t> of_kind = view_.failed();
      std::erase_if(of_kind, [&](std::size_t i) { return view_.tried(i).verdict != kind; });
      std::string marks;
      // Each kind is thinned by itself, or a rare one would vanish among thousands.
      for (const std::size_t i : thinned(of_kind, most_marks)) {
        marks += fmt::format("M{} {}{}", coordinate(x(i)), coordinate(at), mark_of(kind));
      }
      svg_.path(marks, "fail", words_of(kind));
      at += lane;
    }
  }

  void original() {
    if (!view_.original()) return;
    const double at = y(*view_.original());
    svg_.line(left, at, right, at, "original");
  }

  // What was faster than all before it.
  [[nodiscard]] std::vector<std::size_t> improving() const {
    std::vector<std::size_t> found;
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t i : view_.timed()) {
      if (view_.ms(i) < least) found.push_back(i);
      least = std::min(least, view_.ms(i));
    }
    return found;
  }

  // Very many are one path: an element for each would be most of the page.
  void others() {
    Dots dots;
    const bool with_tips = view_.timed().size() <= most_tips;
    for (const std::size_t i : thinned(view_.timed(), most_dots)) {
      if (with_tips) {
        svg_.circle(x(i), y(i), 2.6, "dot", view_.tip(i));
      } else {
        dots.add(x(i), y(i));
      }
    }
    if (!with_tips) svg_.path(dots.data(), "dots many");
  }

  void best() {
    const auto points = thinned(improving(), most_improvements);
    std::string line = fmt::format("M{} {}", coordinate(x(points[0])), coordinate(y(points[0])));
    for (const std::size_t i : points) {
      line += fmt::format("H{}V{}", coordinate(x(i)), coordinate(y(i)));
    }
    svg_.path(line + fmt::format("H{}", coordinate(right)), "best");
    for (const std::size_t i : points) {
      svg_.circle(x(i), y(i), 3.6, "better", view_.tip(i));
    }
  }

  void winner() {
    if (!view_.winner()) return;
    const std::size_t i = *view_.winner();
    svg_.path(fmt::format("M{} {}m0-7l7 7l-7 7l-7-7z", coordinate(x(i)), coordinate(y(i))),
              "winner", view_.tip(i));
  }

  // Above the one line and below the other, so that they may be as close as they like.
  void labels() {
    const double least = std::ranges::min(view_.times());
    svg_.text(right, axis_.at(least) + 17, Anchor::end, "best label", "best " + time_text(least));
    if (!view_.original()) return;
    svg_.text(right, y(*view_.original()) - 6, Anchor::end, "original label",
              "default " + time_text(view_.ms(*view_.original())));
  }

  const ResultsView& view_;
  Kinds kinds_;
  LogAxis axis_;
  Svg svg_;
};

std::string keys(const ResultsView& view) {
  std::string out = legend("h0", "dots", "attempt") + legend("h0", "dots strong", "new best") +
                    legend("m-9 0h18", "best", "best so far");
  if (view.winner()) out += legend("m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z", "winner", "winner");
  if (view.original()) out += legend("m-9 0h18", "original", "default");
  for (const auto kind : kinds_of(view)) out += legend(mark_of(kind), "fail", words_of(kind));
  return out;
}

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

class Histogram {
  static constexpr double left = 44;
  static constexpr double top = 44;
  static constexpr std::size_t bins = 28;

 public:
  explicit Histogram(const ResultsView& view)
      : view_(view),
        axis_(view.times(), left, right),
        svg_(width, height, "How many configurations are how fast") {
    for (const double ms : view.times()) {
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
    if (view_.original()) mark(*view_.original(), "default ", 14, "original");
    if (view_.chosen()) mark(*view_.chosen(), view_.winner() ? "tuned " : "best ", 32, "best");
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
    const double x = axis_.at(view_.ms(i));
    const bool to_the_right = x < (left + right) / 2;
    svg_.line(x, text_y - 10, x, bottom, style);
    svg_.text(x + (to_the_right ? 6 : -6), text_y, to_the_right ? Anchor::start : Anchor::end,
              fmt::format("{} label", style), std::string(words) + time_text(view_.ms(i)));
  }

  const ResultsView& view_;
  LogAxis axis_;
  Svg svg_;
  std::array<std::size_t, bins> counts_ = {};
  std::size_t most_ = 0;
};

}  // namespace

std::string best_so_far(const ResultsView& view) {
  if (view.timed().empty()) return {};
  return figure("Best so far", SearchPlot(view).draw(), keys(view));
}

std::string distribution(const ResultsView& view) {
  if (view.timed().empty()) return {};
  const std::string caption =
      legend("m-4 5v-10h8v10z", "bar", "configurations with a correct result");
  return figure("Distribution", Histogram(view).draw(), caption);
}

}  // namespace vyre::report
