#include <fmt/format.h>

#include <algorithm>

#include "report/effect.h"
#include "report/plots.h"
#include "report/text.h"
#include "report/units.h"

namespace vyre::report {
namespace {

constexpr double width = 320;
constexpr double height = 210;
constexpr double left = 56;
constexpr double right = 314;
constexpr double lane = 12;  // of the failures, above the plot
constexpr double top = 24;
constexpr double bottom = 182;

constexpr std::size_t most_panels = 12;
constexpr std::size_t most_dots = 400;  // in one panel

std::string value_text(const Column& column) {
  const std::string first = shortened(space::to_string(column.first), 60);
  const std::string last = shortened(space::to_string(column.last), 60);
  return first == last ? first : first + " – " + last;
}

class Panel {
 public:
  Panel(const Run& run, const Effect& effect)
      : run_(run),
        effect_(effect),
        axis_(run.times(), bottom, top),
        svg_(width, height, "Times by " + run.results().parameters[effect.parameter]),
        step_((right - left) / static_cast<double>(effect.columns.size())) {}

  std::string draw() {
    time_grid(svg_, axis_, left, right, 4);
    svg_.line(left, bottom, right, bottom, "edge");
    for (std::size_t c = 0; c < effect_.columns.size(); ++c) {
      chosen(c);
      dots(c);
      middle(c);
      fails(c);
    }
    labels();
    return std::move(svg_).finish();
  }

 private:
  [[nodiscard]] double x(std::size_t c) const {
    return left + step_ * (static_cast<double>(c) + 0.5);
  }
  [[nodiscard]] double reach() const { return std::min(step_ * 0.38, 22.0); }

  void chosen(std::size_t c) {
    if (!holds(c, run_.chosen())) return;
    const double half = std::min(step_ * 0.5, 30.0);
    svg_.rect(x(c) - half, top - 4, 2 * half, bottom - top + 4, "band",
              "the value of the tuned kernel");
  }

  [[nodiscard]] bool holds(std::size_t c, std::optional<std::size_t> index) const {
    return index && std::ranges::binary_search(effect_.columns[c].timed, *index);
  }

  // Beside each other, so that equal times do not hide each other; always the same way.
  void dots(std::size_t c) {
    const auto& all = effect_.columns[c].timed;
    const std::size_t share =
        most_dots * all.size() / std::max<std::size_t>(run_.timed().size(), 1);
    Dots dots;
    std::size_t k = 0;
    for (const std::size_t i : thinned(all, std::max<std::size_t>(share, 8))) {
      const double beside = static_cast<double>((++k * 7) % 11) / 10 - 0.5;
      dots.add(x(c) + beside * 2 * reach(), axis_.at(run_.ms(i)));
    }
    if (k > 0) svg_.path(dots.steps(), "dots");
  }

  void middle(std::size_t c) {
    const Column& column = effect_.columns[c];
    if (column.timed.empty()) return;
    const double median = axis_.at(column.median_ms);
    const double best = axis_.at(column.best_ms);
    const std::string tip =
        fmt::format("{}: best {}, median {} of {}", value_text(column), time_text(column.best_ms),
                    time_text(column.median_ms), counted(column.timed.size(), "attempt"));
    svg_.path(fmt::format("M{} {}h{}", coordinate(x(c) - reach()), coordinate(median),
                          coordinate(2 * reach())),
              "median", tip);
    svg_.path(
        fmt::format("M{} {}m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z", coordinate(x(c)), coordinate(best)),
        "better", tip);
  }

  void fails(std::size_t c) {
    const Column& column = effect_.columns[c];
    if (column.failed == 0) return;
    const std::string tip = fmt::format("{}: {} of {} failed", value_text(column), column.failed,
                                        column.failed + column.timed.size());
    const bool room = step_ >= 26;
    svg_.text(x(c), lane + 2, Anchor::middle, "fail-count",
              room ? fmt::format("×{}", column.failed) : "×", tip);
  }

  // As many as fit beside each other.
  void labels() {
    std::size_t longest = 1;
    for (const Column& column : effect_.columns) {
      longest = std::max(longest, space::to_string(column.first).size());
    }
    const auto room = static_cast<std::size_t>(std::max(9.0, (step_ - 4) / 7.5));
    const std::size_t most = std::min(longest, room);
    const double wanted = 7.5 * static_cast<double>(most) + 4;
    const auto stride = static_cast<std::size_t>(std::max(1.0, wanted / step_ + 0.999));
    for (std::size_t c = 0; c < effect_.columns.size(); c += stride) {
      const Column& column = effect_.columns[c];
      svg_.text(x(c), bottom + 16, Anchor::middle, holds(c, run_.chosen()) ? "tick tuned" : "tick",
                shortened(space::to_string(column.first), most), value_text(column));
    }
  }

  const Run& run_;
  const Effect& effect_;
  LogAxis axis_;
  Svg svg_;
  double step_;
};

std::string panel(const Run& run, const Effect& effect) {
  return fmt::format("<div class=\"panel\"><h4>{}<small>{}</small></h4>\n{}</div>\n",
                     escaped(shortened(run.results().parameters[effect.parameter], 60)),
                     ratio_text(effect.ratio), Panel(run, effect).draw());
}

std::string rest(const Run& run, const std::vector<Effect>& effects) {
  if (effects.size() <= most_panels) return {};
  std::string names;
  for (std::size_t e = most_panels; e < effects.size(); ++e) {
    if (!names.empty()) names += ", ";
    names += run.results().parameters[effects[e].parameter];
  }
  return fmt::format("<p class=\"note\">Not drawn, for their effect is smaller: {}.</p>\n",
                     escaped(shortened(names, 600)));
}

}  // namespace

std::string effects(const Run& run) {
  if (run.timed().size() < 2) return {};
  const auto all = effects_of(run);
  if (all.empty()) return {};
  std::string panels;
  for (std::size_t e = 0; e < std::min(all.size(), most_panels); ++e) panels += panel(run, all[e]);
  const std::string keys = legend("h0", "dots", "attempt") +
                           legend("m-8 0h16", "median", "median of a value") +
                           legend("m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z", "better", "its best") +
                           legend("m-6-6h12v12h-12z", "band", "value of the tuned kernel") +
                           "<span class=\"key\"><b class=\"fail-text\">×3</b>failed</span>";
  return fmt::format(
      "<div class=\"effects\"><h3>Parameter effects</h3>\n<p class=\"note\">The factor is between "
      "the "
      "greatest and the least median; the greatest effect comes first.</p>\n<div "
      "class=\"panels\">\n"
      "{}</div>\n<p class=\"keys\">{}</p>\n{}</div>\n",
      panels, keys, rest(run, all));
}

}  // namespace vyre::report
