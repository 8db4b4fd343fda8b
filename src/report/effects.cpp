#include "report/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "report/drawing.h"
#include "report/text.h"

namespace vyre::report {
namespace {

// The attempts with one value or, where there are very many values, with neighbouring ones.
struct Column {
  space::Value first;
  space::Value last;
  std::vector<std::size_t> timed;  // indices
  std::size_t failed = 0;
  double median_ms = 0;  // only if something is timed
  double best_ms = 0;
};

struct Effect {
  std::size_t parameter = 0;
  std::vector<Column> columns;  // numbers rising, other values as they came
  double ratio = 1;             // between the greatest and the least median
};

using space::Value;

constexpr std::size_t most_columns = 24;  // more would be narrower than their dots

std::optional<double> number_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  return std::nullopt;
}

// The attempts with one value. A parameter's values may be of several types: what they have in
// common is their text.
struct Group {
  Value value;
  std::vector<std::size_t> tried;
};

std::vector<Group> groups_of(const ResultsView& view, std::size_t parameter) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> by_text;
  for (std::size_t i = 0; i < view.results().tried.size(); ++i) {
    const Value& value = view.tried(i).values[parameter];
    const auto [at, is_new] = by_text.emplace(space::to_string(value), groups.size());
    if (is_new) groups.push_back({value, {}});
    groups[at->second].tried.push_back(i);
  }
  const auto has_number = [](const Group& group) { return number_of(group.value).has_value(); };
  if (std::ranges::all_of(groups, has_number)) {
    std::ranges::stable_sort(groups, std::less(),
                             [](const Group& group) { return *number_of(group.value); });
  }
  return groups;
}

void finish(const ResultsView& view, Column& column) {
  if (column.timed.empty()) return;
  std::vector<double> times;
  for (const std::size_t i : column.timed) times.push_back(view.ms(i));
  column.median_ms = measure::median(times);
  column.best_ms = std::ranges::min(times);
}

std::vector<Column> columns_of(const ResultsView& view, const std::vector<Group>& groups,
                               const std::vector<bool>& is_timed) {
  const std::size_t count = std::min(groups.size(), most_columns);
  std::vector<Column> columns(count);
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t begin = c * groups.size() / count;
    const std::size_t end = (c + 1) * groups.size() / count;
    columns[c].first = groups[begin].value;
    columns[c].last = groups[end - 1].value;
    for (std::size_t g = begin; g < end; ++g) {
      for (const std::size_t i : groups[g].tried) {
        if (is_timed[i]) {
          columns[c].timed.push_back(i);
        } else {
          ++columns[c].failed;
        }
      }
    }
    finish(view, columns[c]);
  }
  return columns;
}

// By medians: one lucky companion of a bad value must not hide what the value does.
double ratio_of(const std::vector<Column>& columns) {
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0;
  for (const Column& column : columns) {
    if (column.timed.empty()) continue;
    least = std::min(least, column.median_ms);
    greatest = std::max(greatest, column.median_ms);
  }
  return greatest > 0 ? greatest / least : 1;
}

// Of every parameter of which more than one value was tried; the greatest effects first.
std::vector<Effect> effects_of(const ResultsView& view) {
  std::vector<bool> is_timed(view.results().tried.size());
  for (const std::size_t i : view.timed()) is_timed[i] = true;
  std::vector<Effect> effects;
  for (std::size_t p = 0; p < view.results().parameters.size(); ++p) {
    const auto groups = groups_of(view, p);
    if (groups.size() < 2) continue;
    Effect effect{p, columns_of(view, groups, is_timed)};
    effect.ratio = ratio_of(effect.columns);
    effects.push_back(std::move(effect));
  }
  std::ranges::stable_sort(effects, std::greater(), &Effect::ratio);
  return effects;
}

constexpr double effect_width = 320;
constexpr double effect_height = 210;
constexpr double left = 56;
constexpr double effect_right = 314;
constexpr double lane = 12;  // of the failures, above the plot
constexpr double top = 24;
constexpr double effect_bottom = 182;

constexpr std::size_t most_panels = 12;
constexpr std::size_t most_dots = 400;  // in one panel

std::string value_text(const Column& column) {
  const std::string first = shortened(space::to_string(column.first), 60);
  const std::string last = shortened(space::to_string(column.last), 60);
  return first == last ? first : first + " – " + last;
}

class Panel {
 public:
  Panel(const ResultsView& view, const Effect& effect)
      : view_(view),
        effect_(effect),
        axis_(view.times(), effect_bottom, top),
        svg_(effect_width, effect_height,
             "Times by " + view.results().parameters[effect.parameter]),
        step_((effect_right - left) / static_cast<double>(effect.columns.size())) {}

  std::string draw() {
    time_grid(svg_, axis_, left, effect_right, 4);
    svg_.line(left, effect_bottom, effect_right, effect_bottom, "edge");
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
    if (!holds(c, view_.chosen())) return;
    const double half = std::min(step_ * 0.5, 30.0);
    svg_.rect(x(c) - half, top - 4, 2 * half, effect_bottom - top + 4, "band",
              "the value of the tuned kernel");
  }

  [[nodiscard]] bool holds(std::size_t c, std::optional<std::size_t> index) const {
    return index && std::ranges::binary_search(effect_.columns[c].timed, *index);
  }

  // Beside each other, so that equal times do not hide each other; always the same way.
  void dots(std::size_t c) {
    const auto& all = effect_.columns[c].timed;
    // Each column has its share of the dots, and never none: a rare value must be seen.
    const std::size_t share =
        most_dots * all.size() / std::max<std::size_t>(view_.timed().size(), 1);
    Dots dots;
    std::size_t k = 0;
    for (const std::size_t i : thinned(all, std::max<std::size_t>(share, 8))) {
      const double beside = static_cast<double>((++k * 7) % 11) / 10 - 0.5;
      dots.add(x(c) + beside * 2 * reach(), axis_.at(view_.ms(i)));
    }
    if (k > 0) svg_.path(dots.data(), "dots");
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

  // As many as fit beside each other, at about 7.5 units to a character.
  void labels() {
    std::size_t longest = 1;
    for (const Column& column : effect_.columns) {
      longest = std::max(longest, space::to_string(column.first).size());
    }
    const auto room = static_cast<std::size_t>(std::max(9.0, (step_ - 4) / 7.5));
    const std::size_t most = std::min(longest, room);
    const double needed = 7.5 * static_cast<double>(most) + 4;
    const auto stride = static_cast<std::size_t>(std::max(1.0, needed / step_ + 0.999));
    for (std::size_t c = 0; c < effect_.columns.size(); c += stride) {
      const Column& column = effect_.columns[c];
      svg_.text(x(c), effect_bottom + 16, Anchor::middle,
                holds(c, view_.chosen()) ? "tick tuned" : "tick",
                shortened(space::to_string(column.first), most), value_text(column));
    }
  }

  const ResultsView& view_;
  const Effect& effect_;
  LogAxis axis_;
  Svg svg_;
  double step_;
};

std::string panel(const ResultsView& view, const Effect& effect) {
  return fmt::format("<div class=\"panel\"><h4>{}<small>{}</small></h4>\n{}</div>\n",
                     escaped(shortened(view.results().parameters[effect.parameter], 60)),
                     ratio_text(effect.ratio), Panel(view, effect).draw());
}

std::string names_not_drawn(const ResultsView& view, const std::vector<Effect>& effects) {
  if (effects.size() <= most_panels) return {};
  std::string names;
  for (std::size_t e = most_panels; e < effects.size(); ++e) {
    if (!names.empty()) names += ", ";
    names += view.results().parameters[effects[e].parameter];
  }
  return fmt::format("<p class=\"note\">Not drawn, for their effect is smaller: {}.</p>\n",
                     escaped(shortened(names, 600)));
}

}  // namespace

std::string effects(const ResultsView& view) {
  if (view.timed().size() < 2) return {};
  const auto all = effects_of(view);
  if (all.empty()) return {};
  std::string panels;
  for (std::size_t e = 0; e < std::min(all.size(), most_panels); ++e) panels += panel(view, all[e]);
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
      panels, keys, names_not_drawn(view, all));
}

}  // namespace vyre::report
