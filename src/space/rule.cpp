#include "space/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "space/evaluator.h"

namespace vyre::space {

namespace {

constexpr double per_evaluated = 50;  // steps that a node costs where it is not compiled

}  // namespace

Rule::Rule(const Expression& constraint, std::span<const Parameter> parameters,
           const Positions& positions)
    : constraint_(&constraint), parameters_(parameters) {
  std::vector<const std::vector<Value>*> values;
  for (const std::string& name : constraint.names()) {
    names_.push_back(*positions.find(name));
    values.push_back(&parameters[names_.back()].values);
  }
  program_ = LaneProgram::compile(constraint.syntax(), values);
  if (program_) return;
  for (const auto* of_name : values) {
    auto& data = data_.emplace_back();
    for (const Value& value : *of_name) data.push_back(to_datum(value));
  }
}

double Rule::cost() const {
  const auto nodes = static_cast<double>(constraint_->syntax().nodes.size());
  return program_ ? nodes : per_evaluated * nodes;
}

std::size_t Rule::test(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds,
                       Work& work) {
  if (!program_) return test_each(digits, lanes, holds, work);
  work.spend(lanes, cost());
  std::array<std::uint8_t, max_lanes> mine;
  std::vector<const Digit*> of_names;
  for (const std::uint32_t name : names_) of_names.push_back(digits[name]);
  const std::size_t faulty = program_->run(of_names, lanes, mine.data());
  for (std::size_t i = 0; i < lanes; ++i) holds[i] &= mine[i];
  return faulty;
}

std::size_t Rule::test_each(std::span<const Digit* const> digits, std::size_t lanes,
                            std::uint8_t* holds, Work& work) {
  std::size_t faulty = 0;
  std::vector<Datum> bound(names_.size());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (work.exhausted()) {
      holds[lane] = 0;
      continue;
    }
    for (std::size_t n = 0; n < names_.size(); ++n) bound[n] = data_[n][digits[names_[n]][lane]];
    const Syntax& syntax = constraint_->syntax();
    Evaluator evaluator(syntax, bound);
    const auto result = evaluator.value(syntax.root());
    work.spend(evaluator.work() + names_.size(), per_evaluated);
    faulty += result ? 0U : 1U;
    if (!result || !truth(*result)) holds[lane] = 0;
  }
  return faulty;
}

Expression::Bindings Rule::bindings(std::span<const Digit> digits) const {
  return [this, digits](std::string_view name) -> std::optional<Value> {
    const auto at = static_cast<std::size_t>(
        std::ranges::find(parameters_, name, &Parameter::name) - parameters_.begin());
    return parameters_[at].values[digits[at]];
  };
}

std::optional<Error> Rule::reason(std::span<const Digit> digits) const {
  const auto held = constraint_->holds(bindings(digits));
  if (held) return std::nullopt;
  Error error = held.error();
  error.message = fmt::format("{} in \"{}\"", error.message, constraint_->text());
  return error;
}

}  // namespace vyre::space
