#include "space/expression.h"

#include <fmt/format.h>

#include "space/evaluator.h"
#include "space/parser.h"

namespace vyre::space {
namespace {

Result<Datum> evaluated(const Expression& expression, const Expression::Bindings& bindings) {
  std::vector<Datum> parameters;
  for (const std::string& name : expression.names()) {
    const auto value = bindings ? bindings(name) : std::nullopt;
    if (!value) return fail(ErrorKind::input, fmt::format("'{}' is not a parameter", name));
    parameters.push_back(to_datum(*value));
  }
  Evaluator evaluator(expression.syntax(), parameters);
  auto result = evaluator.value(expression.syntax().root());
  if (!result) {
    return fail(ErrorKind::input, std::string(to_string(result.error())), evaluator.place());
  }
  return std::move(*result);
}

}  // namespace

Result<Expression> Expression::parse(std::string_view text) {
  if (text.size() > max_expression_bytes) {
    return fail(ErrorKind::input,
                fmt::format("the expression has {} bytes; at most {} are read", text.size(),
                            max_expression_bytes),
                {1, 1});
  }
  Parser parser(text);
  parser.whole();
  if (parser.error()) return Unexpected(*parser.error());
  Expression made;
  made.text_ = text;
  made.names_ = std::move(parser.names);
  made.syntax_ = std::make_shared<const Syntax>(std::move(parser.syntax));
  return made;
}

Result<Value> Expression::evaluate(const Bindings& bindings) const {
  const auto result = evaluated(*this, bindings);
  if (!result) return Unexpected(result.error());
  if (auto value = to_value(*result)) return std::move(*value);
  return fail(ErrorKind::input, "the expression is not a single value", {1, 1});
}

Result<std::vector<Value>> Expression::evaluate_list(const Bindings& bindings) const {
  const auto result = evaluated(*this, bindings);
  if (!result) return Unexpected(result.error());
  std::vector<Value> values;
  const auto* items = std::get_if<Sequence>(&result->of);
  for (const Datum& item : items != nullptr ? *items->items : std::vector<Datum>{*result}) {
    auto value = to_value(item);
    if (!value) return fail(ErrorKind::input, "an item is not a single value", {1, 1});
    values.push_back(std::move(*value));
  }
  return values;
}

Result<bool> Expression::holds(const Bindings& bindings) const {
  const auto result = evaluated(*this, bindings);
  if (!result) return Unexpected(result.error());
  return truth(*result);
}

}  // namespace vyre::space
