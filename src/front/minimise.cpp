#include "vyre/front/minimise.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/memory.h"
#include "vyre/search/strategy.h"
#include "vyre/space/definition.h"
#include "vyre/space/enumerate.h"

namespace vyre {

Result<space::Space> make_space(std::vector<space::Parameter> parameters,
                                const std::vector<std::string>& constraints) {
  return within_memory([&]() -> Result<space::Space> {
    VYRE_TRY(const auto definition, space::define(std::move(parameters), constraints));
    VYRE_TRY(auto all, space::enumerate(definition));
    if (!all.space.empty()) return std::move(all.space);
    return fail(ErrorKind::input, all.reason ? "no configuration is valid: " + all.reason->message
                                             : "no configuration meets the constraints");
  });
}

Config::Value Config::operator[](std::string_view parameter) const {
  const auto parameters = space_.parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (parameters[p].name != parameter) continue;
    return Value(parameters[p].values[space_.digit(index_, p)]);
  }
  const Error none{ErrorKind::input, fmt::format("there is no parameter '{}'", parameter)};
  detail::no_value(&none);
}

namespace {

[[noreturn]] void not_a(const space::Value& value, const char* what) {
  const Error error{ErrorKind::input, fmt::format("{} is no {}", space::to_string(value), what)};
  detail::no_value(&error);
}

}  // namespace

std::int64_t Config::Value::integer() const {
  if (const auto* i = std::get_if<std::int64_t>(&value_)) return *i;
  if (const auto* b = std::get_if<bool>(&value_)) return *b ? 1 : 0;
  if (const auto* d = std::get_if<double>(&value_); d != nullptr && std::trunc(*d) == *d) {
    return static_cast<std::int64_t>(*d);
  }
  not_a(value_, "integer");
}

double Config::Value::real() const {
  if (const auto* d = std::get_if<double>(&value_)) return *d;
  if (std::holds_alternative<std::string>(value_)) not_a(value_, "number");
  return static_cast<double>(integer());
}

bool Config::Value::boolean() const {
  if (const auto* b = std::get_if<bool>(&value_)) return *b;
  if (std::holds_alternative<std::string>(value_)) not_a(value_, "bool");
  return real() != 0;
}

std::string Config::Value::text() const { return space::to_string(value_); }

std::string Config::text() const {
  std::string text;
  for (const space::Parameter& parameter : space_.parameters()) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", parameter.name,
                        (*this)[parameter.name].text());
  }
  return text;
}

namespace {

// Strategies minimise the logarithm of a positive number. Values that are not all positive are told
// as exponentials, in a unit that keeps them apart; when the unit changes, all are told again.
class Teller {
 public:
  explicit Teller(search::Strategy& strategy) : strategy_(strategy) {}

  void tell(space::Index index, std::optional<double> value) {
    if (!value) {
      strategy_.tell(index, {.verdict = Verdict::runtime});
      return;
    }
    told_.emplace_back(index, *value);
    const bool was_positive = positive_;
    positive_ = positive_ && *value > 0;
    if (!positive_ && (was_positive || std::abs(*value) > 2 * unit_)) {
      for (const auto& [i, v] : told_) unit_ = std::max(unit_, std::abs(v));
      for (const auto& [i, v] : told_) tell_one(i, v);
      return;
    }
    tell_one(index, *value);
  }

 private:
  void tell_one(space::Index index, double value) {
    strategy_.tell(index, {.time = positive_ ? value : std::exp(value / unit_)});
  }

  search::Strategy& strategy_;
  std::vector<std::pair<space::Index, double>> told_;
  bool positive_ = true;
  double unit_ = 1e-300;
};

Evaluation evaluated(const space::Space& space, space::Index index,
                     const std::function<Result<double>(const Config&)>& f) {
  Evaluation made{Config(space, index), std::nullopt, {}};
  const auto value = f(made.config);
  if (!value) {
    made.reason = to_string(value.error());
  } else if (!std::isfinite(*value)) {
    made.reason = fmt::format("the value is {}", *value);
  } else {
    made.value = *value;
  }
  return made;
}

Result<Minimum> best_of(std::vector<Evaluation> evaluations) {
  const Evaluation* best = nullptr;
  for (const Evaluation& one : evaluations) {
    if (one.value && (best == nullptr || *one.value < *best->value)) best = &one;
  }
  if (best == nullptr) {
    return fail(ErrorKind::run,
                evaluations.empty()
                    ? "nothing was evaluated: allow at least one evaluation"
                    : fmt::format("every configuration failed; {}: {}",
                                  evaluations[0].config.text(), evaluations[0].reason));
  }
  Minimum minimum{best->config, *best->value, {}};
  minimum.evaluations = std::move(evaluations);
  return minimum;
}

}  // namespace

Result<Minimum> minimise(const space::Space& space, const MinimiseOptions& options,
                         const std::function<Result<double>(const Config&)>& f) {
  VYRE_TRY(const auto strategy, search::make_strategy(options.strategy, space, options.seed));
  Teller teller(*strategy);
  std::vector<Evaluation> evaluations;
  while (evaluations.size() < options.evaluations) {
    const auto next = strategy->ask(1);
    if (next.empty()) break;
    evaluations.push_back(evaluated(space, next[0], f));
    teller.tell(next[0], evaluations.back().value);
  }
  return best_of(std::move(evaluations));
}

}  // namespace vyre
