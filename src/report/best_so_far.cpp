#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "report/plots.h"
#include "report/text.h"
#include "report/units.h"

namespace vyre::report {
namespace {

constexpr double width = 480;
constexpr double height = 310;
constexpr double left = 66;
constexpr double right = 470;
constexpr double lane = 12;  // height of one; each kind of failure has its own, above the times
constexpr double floor_of_times = 252;  // leaves room for a label below the line
constexpr double bottom = 272;

constexpr std::size_t most_dots = 2'000;
constexpr std::size_t most_tips = 500;  // beyond it only what improved has one
constexpr std::size_t most_steps = 400;
constexpr std::size_t most_marks = 36;  // of one kind of failure, which is what a lane has room for

using Kinds = std::set<Verdict>;

Kinds kinds_of(const Run& run) {
  Kinds kinds;
  for (const std::size_t i : run.failed()) kinds.insert(run.tried(i).verdict);
  return kinds;
}

class Drawing {
 public:
  explicit Drawing(const Run& run)
      : run_(run),
        kinds_(kinds_of(run)),
        axis_(run.times(), floor_of_times, 12 + lane * static_cast<double>(kinds_.size())),
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
    const auto last =
        static_cast<double>(std::max<std::size_t>(run_.results().tried.size(), 2) - 1);
    return left + 6 + (right - left - 12) * static_cast<double>(i) / last;
  }
  [[nodiscard]] double y(std::size_t i) const { return axis_.at(run_.ms(i)); }

  void numbers() {
    const std::size_t count = run_.results().tried.size();
    svg_.line(left, bottom, right, bottom, "edge");
    svg_.text(x(0), bottom + 17, Anchor::middle, "tick", "1");
    if (count > 1) svg_.text(x(count - 1), bottom + 17, Anchor::end, "tick", fmt::to_string(count));
    svg_.text((left + right) / 2, bottom + 34, Anchor::middle, "tick", "attempt");
  }

  void fails() {
    double at = lane / 2;
    for (const auto kind : kinds_) {
      std::vector<std::size_t> of_kind = run_.failed();
      std::erase_if(of_kind, [&](std::size_t i) { return run_.tried(i).verdict != kind; });
      std::string steps;
      for (const std::size_t i : thinned(of_kind, most_marks)) {
        steps += fmt::format("M{} {}{}", coordinate(x(i)), coordinate(at), mark_of(kind));
      }
      svg_.path(steps, "fail", words_of(kind));
      at += lane;
    }
  }

  void original() {
    if (!run_.original()) return;
    const double at = y(*run_.original());
    svg_.line(left, at, right, at, "original");
  }

  // What was faster than all before it.
  [[nodiscard]] std::vector<std::size_t> improving() const {
    std::vector<std::size_t> found;
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t i : run_.timed()) {
      if (run_.ms(i) < least) found.push_back(i);
      least = std::min(least, run_.ms(i));
    }
    return found;
  }

  void others() {
    Dots dots;
    const bool with_tips = run_.timed().size() <= most_tips;
    for (const std::size_t i : thinned(run_.timed(), most_dots)) {
      if (with_tips) {
        svg_.circle(x(i), y(i), 2.6, "dot", run_.tip(i));
      } else {
        dots.add(x(i), y(i));
      }
    }
    if (!with_tips) svg_.path(dots.steps(), "dots many");
  }

  void best() {
    const auto steps = thinned(improving(), most_steps);
    std::string line = fmt::format("M{} {}", coordinate(x(steps[0])), coordinate(y(steps[0])));
    for (const std::size_t i : steps) {
      line += fmt::format("H{}V{}", coordinate(x(i)), coordinate(y(i)));
    }
    svg_.path(line + fmt::format("H{}", coordinate(right)), "best");
    for (const std::size_t i : steps) {
      svg_.circle(x(i), y(i), 3.6, "better", run_.tip(i));
    }
  }

  void winner() {
    if (!run_.winner()) return;
    const std::size_t i = *run_.winner();
    svg_.path(fmt::format("M{} {}m0-7l7 7l-7 7l-7-7z", coordinate(x(i)), coordinate(y(i))),
              "winner", run_.tip(i));
  }

  // Above the one line and below the other, so that they may be as close as they like.
  void labels() {
    const double least = std::ranges::min(run_.times());
    svg_.text(right, axis_.at(least) + 17, Anchor::end, "best label", "best " + time_text(least));
    if (!run_.original()) return;
    svg_.text(right, y(*run_.original()) - 6, Anchor::end, "original label",
              "default " + time_text(run_.ms(*run_.original())));
  }

  const Run& run_;
  Kinds kinds_;
  LogAxis axis_;
  Svg svg_;
};

std::string keys(const Run& run) {
  std::string out = legend("h0", "dots", "attempt") + legend("h0", "dots strong", "new best") +
                    legend("m-9 0h18", "best", "best so far");
  if (run.winner()) out += legend("m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z", "winner", "winner");
  if (run.original()) out += legend("m-9 0h18", "original", "default");
  for (const auto kind : kinds_of(run)) out += legend(mark_of(kind), "fail", words_of(kind));
  return out;
}

}  // namespace

std::string best_so_far(const Run& run) {
  if (run.timed().empty()) return {};
  return figure("Best so far", Drawing(run).draw(), keys(run));
}

}  // namespace vyre::report
