#include "space/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "space/functions.h"
#include "space/literal.h"

namespace vyre::space {
namespace {

using namespace std::string_view_literals;

constexpr std::array relations = {std::pair{"<"sv, Relation::lt},  std::pair{"<="sv, Relation::le},
                                  std::pair{">"sv, Relation::gt},  std::pair{">="sv, Relation::ge},
                                  std::pair{"=="sv, Relation::eq}, std::pair{"!="sv, Relation::ne}};

constexpr std::array<std::string_view, 12> reserved = {
    "and", "or", "not", "in", "if", "else", "for", "is", "lambda", "True", "False", "None"};

}  // namespace

bool Parser::too_deep() {
  if (nesting_ <= max_expression_depth) return false;
  problem(fmt::format("the expression is nested deeper than {}", max_expression_depth),
          cursor_.place());
  return true;
}

NodeId Parser::make(Node node) {
  if (cursor_.error()) return 0;
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

void Parser::whole() {
  expression();
  if (!cursor_.error() && !cursor_.at_end()) unexpected("an operator or the end");
}

NodeId Parser::expression() {
  const Deeper deeper(nesting_);
  if (too_deep()) return 0;
  const NodeId value = disjunction();
  const Place place = cursor_.place();
  if (!cursor_.accept("if")) return value;
  const NodeId condition = disjunction();
  cursor_.expect("else");
  const NodeId otherwise = expression();
  return make({.op = Op::choice, .children = {condition, value, otherwise}, .place = place});
}

NodeId Parser::disjunction() {
  Node node{.op = Op::any_of, .children = {conjunction()}, .place = cursor_.place()};
  while (cursor_.accept("or")) node.children.push_back(conjunction());
  return node.children.size() == 1 ? node.children[0] : make(std::move(node));
}

NodeId Parser::conjunction() {
  Node node{.op = Op::all_of, .children = {inversion()}, .place = cursor_.place()};
  while (cursor_.accept("and")) node.children.push_back(inversion());
  return node.children.size() == 1 ? node.children[0] : make(std::move(node));
}

NodeId Parser::inversion() {
  const Place place = cursor_.place();
  if (!cursor_.accept("not")) return comparison();
  const Deeper deeper(nesting_);
  if (too_deep()) return 0;
  const NodeId value = inversion();
  return make({.op = Op::negation, .children = {value}, .place = place});
}

std::optional<Relation> Parser::relation() {
  if (cursor_.accept("in")) return Relation::in;
  if (cursor_.accept("not")) {
    cursor_.expect("in");
    return Relation::not_in;
  }
  if (cursor_.sees("is")) problem("'is' is not part of the language: use ==", cursor_.place());
  const auto known =
      std::ranges::find_if(relations, [&](const auto& r) { return cursor_.sees(r.first); });
  if (known == relations.end()) return std::nullopt;
  cursor_.advance();
  return known->second;
}

NodeId Parser::comparison() {
  Node node{.op = Op::comparison, .children = {sum()}, .place = cursor_.place()};
  while (!cursor_.error()) {
    const auto found = relation();
    if (!found) break;
    node.relations.push_back(*found);
    node.children.push_back(sum());
  }
  return node.children.size() == 1 ? node.children[0] : make(std::move(node));
}

NodeId Parser::sum() {
  NodeId left = term();
  while (!cursor_.error() && (cursor_.sees("+") || cursor_.sees("-"))) {
    const Token sign = cursor_.token();
    cursor_.advance();
    left = binary(sign.text == "+" ? Op::add : Op::subtract, left, term(), sign.place);
  }
  return left;
}

NodeId Parser::term() {
  constexpr std::array<std::pair<std::string_view, Op>, 4> signs = {
      {{"*", Op::multiply}, {"/", Op::divide}, {"//", Op::floor_divide}, {"%", Op::modulo}}};
  NodeId left = factor();
  while (!cursor_.error()) {
    const auto sign =
        std::ranges::find_if(signs, [&](const auto& s) { return cursor_.sees(s.first); });
    if (sign == signs.end()) break;
    const Place place = cursor_.place();
    cursor_.advance();
    left = binary(sign->second, left, factor(), place);
  }
  return left;
}

NodeId Parser::factor() {
  const Place place = cursor_.place();
  const bool minus = cursor_.sees("-");
  if (!minus && !cursor_.sees("+")) return power();
  cursor_.advance();
  const Deeper deeper(nesting_);
  if (too_deep()) return 0;
  const NodeId value = factor();
  return make({.op = minus ? Op::minus : Op::plus, .children = {value}, .place = place});
}

// Binds tighter than a sign on its left and looser than one on its right.
NodeId Parser::power() {
  const NodeId base = atom();
  const Place place = cursor_.place();
  if (!cursor_.accept("**")) return base;
  const Deeper deeper(nesting_);
  if (too_deep()) return 0;
  return binary(Op::power, base, factor(), place);
}

NodeId Parser::atom() {
  if (cursor_.error()) return 0;
  switch (cursor_.token().kind) {
    case TokenKind::name:
      return name();
    case TokenKind::integer:
    case TokenKind::real:
    case TokenKind::string:
      return literal();
    default:
      break;
  }
  if (cursor_.sees("(")) return parenthesis();
  if (cursor_.sees("[")) return bracket();
  const std::string_view text = cursor_.token().text;
  if (cursor_.token().kind == TokenKind::bad && (text.starts_with('"') || text.starts_with('\''))) {
    return problem("the string is not closed", cursor_.place());
  }
  return unexpected("a value");
}

NodeId Parser::name() {
  const Token word = cursor_.token();
  if (cursor_.sees("True") || cursor_.sees("False")) {
    cursor_.advance();
    return constant(word.text == "True", word.place);
  }
  if (cursor_.accept("None")) return make({.op = Op::none, .place = word.place});
  if (std::ranges::find(reserved, word.text) != reserved.end()) return unexpected("a value");
  cursor_.advance();
  if (cursor_.sees("(")) {
    if (const auto known = function_named(word.text)) return call(*known, word.place);
    return problem(fmt::format("there is no function '{}'", word.text), word.place);
  }
  const auto local = std::find_if(locals_.rbegin(), locals_.rend(),
                                  [&](const Local& l) { return l.name == word.text; });
  if (local != locals_.rend()) {
    return make({.op = Op::local, .slot = local->slot, .place = word.place});
  }
  return make({.op = Op::parameter, .slot = slot_of(word.text), .place = word.place});
}

std::uint32_t Parser::slot_of(std::string_view name) {
  const auto known = std::ranges::find(names, name);
  const auto slot = static_cast<std::uint32_t>(known - names.begin());
  if (known == names.end()) names.emplace_back(name);
  return slot;
}

NodeId Parser::literal() {
  const Token token = cursor_.token();
  const auto value = token.kind == TokenKind::integer ? read_integer(token.text)
                     : token.kind == TokenKind::real  ? read_float(token.text)
                                                      : read_string(token.text);
  if (!value) return problem(value.error().message, token.place);
  cursor_.advance();
  return constant(*value, token.place);
}

// "(" expression ")", or a tuple: empty, or with a comma.
NodeId Parser::parenthesis() {
  const Place place = cursor_.place();
  cursor_.advance();
  if (cursor_.accept(")")) return make({.op = Op::tuple, .place = place});
  const NodeId first = expression();
  if (cursor_.accept(")")) return first;
  cursor_.expect(",");
  std::vector<NodeId> children = items(")");
  children.insert(children.begin(), first);
  return make({.op = Op::tuple, .children = std::move(children), .place = place});
}

// Items up to the closing bracket, which is consumed; the last may have a comma behind it.
std::vector<NodeId> Parser::items(std::string_view close) {
  std::vector<NodeId> made;
  while (!cursor_.error() && !cursor_.accept(close)) {
    made.push_back(expression());
    if (cursor_.accept(close)) break;
    cursor_.expect(",");
  }
  return made;
}

NodeId Parser::bracket() {
  const Place place = cursor_.place();
  cursor_.advance();
  if (const auto bound = cursor_.names_bound(); !bound.empty()) {
    return comprehension(bound, "]", place);
  }
  return make({.op = Op::list, .children = items("]"), .place = place});
}

// item { "for" name "in" list { "if" condition } }. The item comes first but is evaluated last,
// with all names bound; the first list is outside of them.
NodeId Parser::comprehension(std::span<const std::string_view> bound, std::string_view close,
                             Place place) {
  const Deeper deeper(nesting_);
  if (too_deep()) return 0;
  std::vector<Local> mine;
  for (const std::string_view word : bound) {
    const auto known = std::ranges::find(mine, word, &Local::name);
    mine.push_back({word, known == mine.end() ? syntax.locals++ : known->slot});
  }
  const std::size_t outside = locals_.size();
  const auto bind = [&] { locals_.insert(locals_.end(), mine.begin(), mine.end()); };
  const auto unbind = [&] { locals_.resize(outside); };
  bind();
  Node node{.op = Op::comprehension, .children = {expression()}, .place = place};
  for (std::size_t clause = 0; !cursor_.error() && !cursor_.accept(close);) {
    const Place at = cursor_.place();
    if (clause > 0 && cursor_.accept("if")) {
      const NodeId condition = disjunction();
      node.children.push_back(make({.op = Op::only, .children = {condition}, .place = at}));
      continue;
    }
    cursor_.expect("for");
    if (cursor_.token().kind != TokenKind::name || clause >= mine.size()) unexpected("a name");
    if (cursor_.error()) break;
    const std::uint32_t slot = mine[clause].slot;
    cursor_.advance();
    cursor_.expect("in");
    if (clause++ == 0) unbind();
    const NodeId from = disjunction();
    if (clause == 1) bind();
    node.children.push_back(make({.op = Op::each, .slot = slot, .children = {from}, .place = at}));
  }
  unbind();
  return make(std::move(node));
}

NodeId Parser::call(Function function, Place place) {
  cursor_.expect("(");
  Node node{.op = Op::call, .function = function, .place = place};
  if (const auto bound = cursor_.names_bound(); !bound.empty()) {
    node.children = {comprehension(bound, ")", place)};
  } else {
    node.children = items(")");
  }
  if (!takes(function, node.children.size())) {
    return problem("the function takes another number of arguments", place);
  }
  return make(std::move(node));
}

}  // namespace vyre::space
