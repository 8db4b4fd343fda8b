// Expressions of the text form.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ir/hints.h"
#include "ir/literal_text.h"
#include "ir/parser.h"
#include "ir/words.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

constexpr std::array<std::pair<std::string_view, std::uint8_t>, 4> splats = {
    {{"splat2", 2}, {"splat4", 4}, {"splat8", 8}, {"splat16", 16}}};
constexpr std::array<std::pair<std::string_view, Scalar>, 3> bitcasts = {
    {{"as_u32", Scalar::u32}, {"as_i32", Scalar::i32}, {"as_f32", Scalar::f32}}};

template <class Value, std::size_t n>
std::optional<Value> look_up(const std::array<std::pair<std::string_view, Value>, n>& table,
                             std::string_view key) {
  const auto found = std::ranges::find(table, key, &std::pair<std::string_view, Value>::first);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

std::size_t arity(std::string_view function) {
  if (function == "fma" || function == "select") return 3;
  return binary_function(function) ? 2 : 1;
}

bool is_function(std::string_view word) {
  return word == "fma" || word == "select" || binary_function(word) || unary_function(word) ||
         reduction_named(word) || scalar_named(word) || look_up(splats, word) ||
         look_up(bitcasts, word);
}

}  // namespace

// Refuses trees deeper than max_nesting as they grow, so that no later pass can run out of stack.
Expr Parser::bounded(Expr made) {
  if (made.depth() <= max_nesting) return made;
  problem(fmt::format("the expression is nested deeper than {}: split it with let", max_nesting),
          made.place());
  return missing(made.place());
}

Expr Parser::binary(int lowest) {
  Expr left = unary();
  while (!panicking_) {
    const auto sign =
        token_.kind == TokenKind::sign ? binary_sign(token_.text) : std::optional<BinarySign>{};
    if (!sign || sign->precedence < lowest) return left;
    const Place place = token_.place;
    advance();
    Expr right = binary(sign->precedence + 1);
    left = bounded(Expr(Binary{sign->op, std::move(left), std::move(right)}, place));
    const auto next = token_.kind == TokenKind::sign ? binary_sign(token_.text) : std::nullopt;
    if (sign->precedence == comparison_precedence && next &&
        next->precedence == comparison_precedence) {
      problem(
          fmt::format("comparisons do not chain: write a {} b & b {} c", sign->text, next->text),
          token_.place);
    }
  }
  return left;
}

Expr Parser::unary() {
  const Place place = token_.place;
  if (nesting_ >= max_nesting) {
    problem(fmt::format("the expression is nested deeper than {}", max_nesting), place);
    return missing(place);
  }
  const bool minus = sees("-");
  if (!minus && !sees("!") && !sees("~")) return postfix();
  advance();
  if (minus && (token_.kind == TokenKind::integer || token_.kind == TokenKind::real)) {
    return number(true, place);
  }
  if (minus && (sees("f32") || sees("f64")) && Lexer(lexer_).next().text == ".") {
    const Scalar scalar = *scalar_named(token_.text);
    advance();
    advance();
    return named_constant(scalar, place, true);
  }
  ++nesting_;
  Expr arg = unary();
  --nesting_;
  return bounded(Expr(Unary{minus ? UnaryOp::neg : UnaryOp::bit_not, std::move(arg)}, place));
}

Expr Parser::postfix() {
  ++nesting_;
  Expr value = primary();
  --nesting_;
  while (!panicking_ && sees(".")) {
    const Place place = token_.place;
    advance();
    const auto lane = token_.kind == TokenKind::integer ? read_integer(token_.text) : std::nullopt;
    if (!lane || *lane >= max_lanes) {
      unexpected("a lane number from 0 to 15 after '.'");
      return missing(place);
    }
    advance();
    value = bounded(Expr(Lane{std::move(value), static_cast<std::uint8_t>(*lane)}, place));
  }
  return value;
}

Expr Parser::primary() {
  const Place place = token_.place;
  if (token_.kind == TokenKind::word) return word();
  if (token_.kind == TokenKind::integer || token_.kind == TokenKind::real) {
    return number(false, place);
  }
  if (accept("(")) {
    Expr inner = expr();
    expect(")", "to close the parenthesis");
    return inner;
  }
  if (accept("[")) return vector(place);
  unexpected("an expression");
  return missing(place);
}

Expr Parser::word() {
  const Token name = token_;
  advance();
  if (!is_reserved(name.text)) return named(name);
  if (name.text == "true" || name.text == "false") {
    return literal(name.text == "true").at(name.place);
  }
  if (const auto kind = id_named(name.text)) return id(*kind, name.place);
  if (const auto scalar = scalar_named(name.text); scalar && accept(".")) {
    return named_constant(*scalar, name.place, false);
  }
  if (is_function(name.text)) return call(name.text, name.place);
  problem(fmt::format("'{}' is a word of the language and cannot stand here{}", name.text,
                      hint(name.text)),
          name.place);
  return missing(name.place);
}

// A value or an element.
Expr Parser::named(const Token& name) {
  if (sees("(")) {
    if (is_function(name.text)) return call(name.text, name.place);
    problem(fmt::format("there is no function '{}'{}{}", name.text, hint(name.text),
                        list_of_functions()),
            name.place);
    return missing(name.place);
  }
  if (!sees("[")) return Expr(Var{std::string(name.text), type_named(name.text)}, name.place);
  return load(name, element());
}

Expr Parser::load(const Token& name, const Element& at) {
  const auto buffer = buffers_.find(name.text);
  const Scalar scalar = buffer == buffers_.end() ? Scalar::unknown : buffer->second;
  return bounded(Expr(Load{std::string(name.text), scalar, at.index, at.lanes}, name.place));
}

// "[" expr [ ":" lanes ] "]" after a buffer's name.
Parser::Element Parser::element() {
  Element at{.place = token_.place};
  expect("[", "after the buffer's name");
  at.index = expr();
  if (accept(":")) {
    const auto lanes = token_.kind == TokenKind::integer ? read_integer(token_.text) : std::nullopt;
    if (!lanes || *lanes < 2 || !is_lane_count(*lanes)) {
      unexpected("2, 4, 8 or 16 lanes after ':'");
      return at;
    }
    at.lanes = static_cast<std::uint8_t>(*lanes);
    advance();
  }
  expect("]", "after the index");
  return at;
}

Expr Parser::id(IdKind kind, Place place) {
  if (!accept(".")) {
    unexpected(fmt::format("'.' after '{}', as in {}.x", word_of(kind), word_of(kind)));
    return missing(place);
  }
  const auto dim = std::ranges::find(dimension_names, token_.text);
  if (token_.kind != TokenKind::word || dim == dimension_names.end()) {
    unexpected("x, y or z");
    return missing(place);
  }
  advance();
  return Expr(Id{kind, static_cast<std::uint8_t>(dim - dimension_names.begin())}, place);
}

Expr Parser::named_constant(Scalar scalar, Place place, bool negative) {
  const bool infinite = sees("inf");
  if (!is_float(scalar) || (!infinite && !sees("nan")) || (negative && !infinite)) {
    unexpected(negative ? "inf" : "inf or nan, after f32 or f64");
    return missing(place);
  }
  advance();
  const double sign = negative ? -1.0 : 1.0;
  const double value = infinite ? sign * std::numeric_limits<double>::infinity()
                                : std::numeric_limits<double>::quiet_NaN();
  return (scalar == Scalar::f64 ? literal(value) : literal(static_cast<float>(value))).at(place);
}

Expr Parser::number(bool negative, Place place) {
  const Token number = token_;
  advance();
  const auto value = read_number(number, negative);
  if (value) return Expr(*value, place);
  problem(fmt::format("{}{} {}", negative ? "-" : "", number.text, value.error()), place);
  return missing(place);
}

std::vector<Expr> Parser::arguments(std::string_view close) {
  std::vector<Expr> list;
  if (accept(close)) return list;
  do {
    list.push_back(expr());
    if (list.size() > max_lanes) {
      problem("too many expressions in the list: at most 16", list.back().place());
    }
  } while (!panicking_ && accept(","));
  expect(close, "to close the list");
  return list;
}

Expr Parser::vector(Place place) {
  std::vector<Expr> lanes = arguments("]");
  if (panicking_) return missing(place);
  return bounded(Expr(Vector{std::move(lanes)}, place));
}

Expr Parser::call(std::string_view function, Place place) {
  if (!accept("(")) {
    unexpected(fmt::format("'(' after '{}'", function));
    return missing(place);
  }
  const std::vector<Expr> given = arguments(")");
  if (panicking_) return missing(place);
  const std::size_t count = arity(function);
  const bool reduces = reduction_named(function) && given.size() == 1;
  if (given.size() != count && !reduces) {
    problem(fmt::format("{} takes {} argument{}, not {}", function, count, count == 1 ? "" : "s",
                        given.size()),
            place);
    panicking_ = false;  // the text goes on in good order
    return missing(place);
  }
  return bounded(build_call(function, given, place));
}

Expr Parser::build_call(std::string_view function, const std::vector<Expr>& a, Place place) {
  if (function == "fma") return Expr(Fma{a[0], a[1], a[2]}, place);
  if (function == "select") return Expr(Select{a[0], a[1], a[2]}, place);
  if (const auto op = reduction_named(function); op && a.size() == 1) {
    return Expr(Reduce{*op, a[0]}, place);
  }
  if (const auto op = binary_function(function)) return Expr(Binary{*op, a[0], a[1]}, place);
  if (const auto op = unary_function(function)) return Expr(Unary{*op, a[0]}, place);
  if (const auto lanes = look_up(splats, function)) return Expr(Splat{*lanes, a[0]}, place);
  if (const auto to = look_up(bitcasts, function)) return Expr(Bitcast{*to, a[0]}, place);
  return Expr(Convert{*scalar_named(function), a[0]}, place);
}

}  // namespace vyre::ir
