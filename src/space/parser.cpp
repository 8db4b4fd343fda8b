#include "space/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace vyre::space {
namespace {

constexpr std::array<std::pair<std::string_view, Relation>, 6> relations = {{{"<", Relation::lt},
                                                                             {"<=", Relation::le},
                                                                             {">", Relation::gt},
                                                                             {">=", Relation::ge},
                                                                             {"==", Relation::eq},
                                                                             {"!=", Relation::ne}}};

}  // namespace

bool Parser::sees(std::string_view text) const {
  return (token_.kind == TokenKind::name || token_.kind == TokenKind::sign) && token_.text == text;
}

bool Parser::accept(std::string_view text) {
  if (error_ || !sees(text)) return false;
  advance();
  return true;
}

void Parser::expect(std::string_view text) {
  if (!accept(text)) unexpected(fmt::format("'{}'", text));
}

// The node is never used: once there is an error, all that is made is thrown away.
NodeId Parser::problem(std::string message, Place place) {
  if (!error_) error_ = Error{.message = std::move(message), .place = place};
  token_ = {};
  return 0;
}

NodeId Parser::unexpected(std::string_view wanted) {
  if (error_) return 0;
  const std::string found =
      token_.kind == TokenKind::end ? "the end" : fmt::format("'{}'", token_.text);
  return problem(fmt::format("expected {}, found {}", wanted, found), token_.place);
}

bool Parser::too_deep() {
  if (nesting_ <= max_expression_depth) return false;
  problem(fmt::format("the expression is nested deeper than {}", max_expression_depth),
          token_.place);
  return true;
}

NodeId Parser::make(Node node) {
  if (error_) return 0;
  std::uint32_t depth = 0;
  for (const NodeId child : node.children) depth = std::max(depth, depths_[child]);
  if (depth >= max_expression_depth) {
    return problem(fmt::format("the expression is nested deeper than {}", max_expression_depth),
                   node.place);
  }
  depths_.push_back(depth + 1);
  syntax.nodes.push_back(std::move(node));
  return last();
}

NodeId Parser::constant(Value value, Place place) {
  return make({.op = Op::constant, .value = std::move(value), .place = place});
}

NodeId Parser::binary(Op op, NodeId left, NodeId right, Place place) {
  return make({.op = op, .children = {left, right}, .place = place});
}

void Parser::whole() {
  expression();
  if (!error_ && token_.kind != TokenKind::end) unexpected("an operator or the end");
}

NodeId Parser::expression() {
  const Deeper deeper(nesting_);
  if (too_deep()) return 0;
  const NodeId value = disjunction();
  const Place place = token_.place;
  if (!accept("if")) return value;
  const NodeId condition = disjunction();
  expect("else");
  const NodeId otherwise = expression();
  return make({.op = Op::choice, .children = {condition, value, otherwise}, .place = place});
}

NodeId Parser::disjunction() {
  Node node{.op = Op::any_of, .children = {conjunction()}, .place = token_.place};
  while (accept("or")) node.children.push_back(conjunction());
  return node.children.size() == 1 ? node.children[0] : make(std::move(node));
}

NodeId Parser::conjunction() {
  Node node{.op = Op::all_of, .children = {inversion()}, .place = token_.place};
  while (accept("and")) node.children.push_back(inversion());
  return node.children.size() == 1 ? node.children[0] : make(std::move(node));
}

NodeId Parser::inversion() {
  const Place place = token_.place;
  if (!accept("not")) return comparison();
  const Deeper deeper(nesting_);
  if (too_deep()) return 0;
  const NodeId value = inversion();
  return make({.op = Op::negation, .children = {value}, .place = place});
}

std::optional<Relation> Parser::relation() {
  if (accept("in")) return Relation::in;
  if (accept("not")) {
    expect("in");
    return Relation::not_in;
  }
  if (sees("is")) problem("'is' is not part of the language: use ==", token_.place);
  const auto known = std::ranges::find_if(relations, [&](const auto& r) { return sees(r.first); });
  if (known == relations.end()) return std::nullopt;
  advance();
  return known->second;
}

NodeId Parser::comparison() {
  Node node{.op = Op::comparison, .children = {sum()}, .place = token_.place};
  while (!error_) {
    const auto found = relation();
    if (!found) break;
    node.relations.push_back(*found);
    node.children.push_back(sum());
  }
  return node.children.size() == 1 ? node.children[0] : make(std::move(node));
}

NodeId Parser::sum() {
  NodeId left = term();
  while (!error_ && (sees("+") || sees("-"))) {
    const Token sign = token_;
    advance();
    left = binary(sign.text == "+" ? Op::add : Op::subtract, left, term(), sign.place);
  }
  return left;
}

NodeId Parser::term() {
  constexpr std::array<std::pair<std::string_view, Op>, 4> signs = {
      {{"*", Op::multiply}, {"/", Op::divide}, {"//", Op::floor_divide}, {"%", Op::modulo}}};
  NodeId left = factor();
  while (!error_) {
    const auto sign = std::ranges::find_if(signs, [&](const auto& s) { return sees(s.first); });
    if (sign == signs.end()) break;
    const Place place = token_.place;
    advance();
    left = binary(sign->second, left, factor(), place);
  }
  return left;
}

NodeId Parser::factor() {
  const Place place = token_.place;
  const bool minus = sees("-");
  if (!minus && !sees("+")) return power();
  advance();
  const Deeper deeper(nesting_);
  if (too_deep()) return 0;
  const NodeId value = factor();
  return make({.op = minus ? Op::minus : Op::plus, .children = {value}, .place = place});
}

// Binds tighter than a sign on its left and looser than one on its right.
NodeId Parser::power() {
  const NodeId base = atom();
  const Place place = token_.place;
  if (!accept("**")) return base;
  const Deeper deeper(nesting_);
  if (too_deep()) return 0;
  return binary(Op::power, base, factor(), place);
}

Result<Expression> Expression::parse(std::string_view text) {
  if (text.size() > max_expression_bytes) {
    return fail(ErrorKind::input,
                fmt::format("the expression has {} bytes; at most {} are read", text.size(),
                            max_expression_bytes),
                {1, 1});
  }
  Parser parser(text);
  parser.whole();
  if (parser.error()) return std::unexpected(*parser.error());
  Expression made;
  made.text_ = text;
  made.names_ = std::move(parser.names);
  made.syntax_ = std::make_shared<const Syntax>(std::move(parser.syntax));
  return made;
}

}  // namespace vyre::space
