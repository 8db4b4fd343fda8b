#include "schedule/promising.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/check.h"
#include "schedule/parameters.h"
#include "schedule/steps.h"
#include "schedule/vectorize.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

double apart(const space::Value& left, const space::Value& right) {
  constexpr double other_word = 2;  // as a factor of four between numbers
  const auto* a = std::get_if<std::int64_t>(&left);
  const auto* b = std::get_if<std::int64_t>(&right);
  if (a == nullptr || b == nullptr) return space::same(left, right) ? 0 : other_word;
  const auto log_of = [](std::int64_t value) {
    return std::log2(1 + static_cast<double>(std::max<std::int64_t>(value, 0)));
  };
  return std::abs(log_of(*a) - log_of(*b));
}

// Log of how much longer a row takes than if vectors had no rest that is done one by one.
double rest_of_row(const space::Value& lanes, double row) {
  const auto width = static_cast<double>(std::get<std::int64_t>(lanes));
  if (row < width) return 0;
  return std::log2((std::floor(row / width) + std::fmod(row, width)) / (row / width));
}

// What each value of each parameter costs by which it differs from what is wanted, and does not
// suit the grid.
class Costs {
 public:
  Costs(const space::Space& space, space::Index baseline, const Features& features,
        const Example& example)
      : space_(space), row_(std::round(std::exp2(features["width"]))) {
    const auto parameters = space.parameters();
    const auto own = space.values(baseline);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& wanted = example.configuration;
      const auto found = std::ranges::find(wanted, parameters[i].name, &NamedValue::name);
      add(parameters[i], found == wanted.end() ? own[i] : found->value);
    }
  }

  // The configuration of the cheapest values, if it is valid.
  [[nodiscard]] std::optional<space::Index> cheapest_digits() const {
    std::vector<space::Digit> digits;
    for (const auto& costs : of_) {
      digits.push_back(static_cast<space::Digit>(std::ranges::min_element(costs) - costs.begin()));
    }
    return space_.find(digits);
  }

  // The first of the cheapest configurations.
  [[nodiscard]] space::Index cheapest() const {
    space::Index best = 0;
    double least = std::numeric_limits<double>::infinity();
    std::vector<space::Digit> digits(of_.size());
    for (space::Index index = 0; index < space_.size(); ++index) {
      space_.digits(index, digits);
      const double cost = cost_of(digits, least);
      if (cost >= least) continue;
      least = cost;
      best = index;
    }
    return best;
  }

 private:
  void add(const space::Parameter& parameter, const space::Value& wanted) {
    constexpr double of_workgroup = 0.25;  // what a group does is often the same at twice its size
    const bool is_workgroup =
        std::ranges::find(workgroup_names, parameter.name) != workgroup_names.end();
    std::vector<double>& costs = of_.emplace_back();
    for (const space::Value& value : parameter.values) {
      const double rest = parameter.name == vector_name ? rest_of_row(value, row_) : 0;
      costs.push_back((is_workgroup ? of_workgroup : 1) * apart(value, wanted) + rest);
    }
  }

  // Up to where it is too much.
  [[nodiscard]] double cost_of(std::span<const space::Digit> digits, double limit) const {
    double cost = 0;
    for (std::size_t i = 0; i < digits.size() && cost < limit; ++i) cost += of_[i][digits[i]];
    return cost;
  }

  const space::Space& space_;
  double row_;  // of the grid: its extent in x
  std::vector<std::vector<double>> of_;
};

bool has_step(const space::Space& space, const Step& step) {
  const auto parameters = space.parameters();
  return std::ranges::find(parameters, step.parameters.front().name, &space::Parameter::name) !=
         parameters.end();
}

bool names(const Example& example, std::string_view parameter) {
  return std::ranges::find(example.configuration, parameter, &NamedValue::name) !=
         example.configuration.end();
}

// The same with what steps favour of which the example says nothing.
space::Index with_favoured(const space::Space& space, space::Index index, const Example& example) {
  for (const Step* step : steps()) {
    const std::string_view name = step->parameters.front().name;
    if (!step->favoured || !has_step(space, *step) || names(example, name)) continue;
    auto values = space.values(index);
    const auto at = std::ranges::find(space.parameters(), name, &space::Parameter::name) -
                    space.parameters().begin();
    values[static_cast<std::size_t>(at)] = value_of(name, *step->favoured);
    index = space.find(values).value_or(index);
  }
  return index;
}

std::vector<Example> guesses(const space::Space& space) {
  std::vector<Example> made;
  for (const Step* step : steps()) {
    if (step->guesses.empty() || !has_step(space, *step)) continue;
    for (const std::string_view guess : step->guesses) {
      auto configuration = parse_configuration(guess);
      check(configuration.has_value(), "a step guesses a schedule");
      made.push_back({.configuration = *std::move(configuration)});
    }
  }
  return made;
}

}  // namespace

space::Index adapted(const space::Space& space, space::Index baseline, const Features& features,
                     const Example& example) {
  const Costs costs(space, baseline, features, example);
  const auto exact = costs.cheapest_digits();
  return exact ? *exact : costs.cheapest();
}

std::vector<space::Index> promising(const space::Space& space, space::Index baseline,
                                    const Features& features, std::span<const Example> examples,
                                    std::size_t most) {
  std::vector<space::Index> found;
  const auto add = [&](const Example& example) {
    if (found.size() == most) return;
    const space::Index near = adapted(space, baseline, features, example);
    const space::Index index = with_favoured(space, near, example);
    const bool known = index == baseline || std::ranges::find(found, index) != found.end();
    if (!known) found.push_back(index);
  };
  std::ranges::for_each(guesses(space), add);
  for (const Example* example : by_distance(features, examples)) add(*example);
  return found;
}

std::vector<const Example*> by_distance(const Features& features,
                                        std::span<const Example> examples) {
  std::vector<const Example*> nearest;
  for (const Example& example : examples) nearest.push_back(&example);
  std::ranges::stable_sort(
      nearest, {}, [&](const Example* example) { return distance(features, example->features); });
  return nearest;
}

double expected_gain(const Features& features, std::span<const Example> examples,
                     std::size_t nearest) {
  auto some = by_distance(features, examples);
  some.resize(std::min(some.size(), nearest));
  if (some.empty()) return 1;
  double sum = 0;
  for (const Example* example : some) sum += std::log(example->gain);
  return std::exp(sum / static_cast<double>(some.size()));
}

}  // namespace vyre::schedule
