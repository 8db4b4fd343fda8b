#include "ir/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "ir/number.h"

namespace vyre::ir {
namespace {

constexpr std::size_t most_mistakes = 100;  // of one value

int rank_of_number(Scalar scalar) {
  constexpr std::array ranks = {Scalar::boolean, Scalar::i32, Scalar::u32, Scalar::i64,
                                Scalar::u64,     Scalar::f32, Scalar::f64};
  return static_cast<int>(std::ranges::find(ranks, scalar) - ranks.begin());
}

}  // namespace

Value Origin::value(Expr expr, std::vector<Mistake> mistakes) {
  Value made(std::move(expr));
  if (!mistakes.empty()) {
    made.origin_ =
        std::make_shared<const Origin>(std::nullopt, SourceLocation{}, std::move(mistakes));
  }
  return made;
}

bool is_cpp_number(const Value& value) {
  const Origin* origin = Origin::of(value);
  return origin != nullptr && origin->number.has_value();
}

Error written_at(std::string message, SourceLocation at) {
  if (at.line == 0) return {ErrorKind::input, std::move(message), {}};
  std::string_view file = at.file;
  file.remove_prefix(file.find_last_of("/\\") + 1);  // npos + 1 is 0
  return {ErrorKind::input, fmt::format("{} ({})", message, file), {at.line, at.column}};
}

Type common_type(std::span<const Value* const> values) {
  Type common{Scalar::boolean};
  for (const Value* value : values) {
    const Type type = value->expr().type();
    if (!is_cpp_number(*value)) return type;
    if (rank_of_number(type.scalar) > rank_of_number(common.scalar)) common = type;
  }
  return common;
}

Expr Operands::take(const Value& value, Type type, bool has_neighbour) {
  const Origin* origin = Origin::of(value);
  if (origin == nullptr) return value.expr();
  for (const Mistake& mistake : origin->mistakes) {
    const bool known = std::ranges::find(mistakes_, mistake) != mistakes_.end();
    if (!known && mistakes_.size() < most_mistakes) mistakes_.push_back(mistake);
  }
  if (!origin->number) return value.expr();
  auto [literal, problem] = fitted(*origin->number, type.scalar, has_neighbour);
  if (!problem.empty()) mistake(std::move(problem), origin->at);
  if (type.lanes == 1) return literal;
  return Splat{type.lanes, std::move(literal)};
}

Expr Operands::take(const Value& value) { return take(value, value.expr().type(), false); }

void Operands::mistake(std::string message, SourceLocation at) {
  mistakes_.push_back(std::make_shared<const Error>(written_at(std::move(message), at)));
}

}  // namespace vyre::ir
