// The tightest parts of an expression: names, literals, calls, lists and comprehensions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "space/parser.h"

namespace vyre::space {
namespace {

constexpr std::array<std::pair<std::string_view, Function>, 13> functions = {
    {{"min", Function::min},
     {"max", Function::max},
     {"len", Function::len},
     {"abs", Function::abs},
     {"sum", Function::sum},
     {"range", Function::range},
     {"list", Function::list},
     {"tuple", Function::tuple},
     {"int", Function::to_int},
     {"float", Function::to_float},
     {"bool", Function::to_bool},
     {"any", Function::any},
     {"all", Function::all}}};

constexpr std::array<std::string_view, 12> reserved = {
    "and", "or", "not", "in", "if", "else", "for", "is", "lambda", "True", "False", "None"};

// The names that the comprehension binds which starts here, up to the closing bracket; none if it
// is a plain list of items.
std::vector<std::string_view> bound_names(Lexer lexer, Token token) {
  std::vector<std::string_view> found;
  int depth = 0;
  for (; token.kind != TokenKind::end && token.kind != TokenKind::bad; token = lexer.next()) {
    if (token.kind == TokenKind::sign) {
      if (token.text == "(" || token.text == "[") ++depth;
      if ((token.text == ")" || token.text == "]") && --depth < 0) break;
    } else if (depth == 0 && token.kind == TokenKind::name && token.text == "for") {
      token = lexer.next();
      found.push_back(token.text);
    }
  }
  return found;
}

std::optional<std::int64_t> read_digits(std::string_view digits, int base) {
  std::int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> read_integer(std::string_view text) {
  if (text.size() > 2 && text[0] == '0') {
    const char kind = static_cast<char>(text[1] | 0x20);
    const int base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 0;
    if (base != 0) return read_digits(text.substr(2), base);
  }
  const bool padded =
      text.size() > 1 && text[0] == '0' && text.find_first_not_of('0') != std::string_view::npos;
  return padded ? std::nullopt : read_digits(text, 10);
}

// Python allows one underscore between two digits.
bool drop_underscores(std::string& text) {
  const bool bad = text.ends_with('_') || text.find("__") != std::string::npos ||
                   text.find("_.") != std::string::npos || text.find("._") != std::string::npos ||
                   text.find("_e") != std::string::npos || text.find("_E") != std::string::npos;
  std::erase(text, '_');
  return !bad;
}

}  // namespace

NodeId Parser::atom() {
  if (error_) return 0;
  switch (token_.kind) {
    case TokenKind::name:
      return name();
    case TokenKind::integer:
    case TokenKind::real:
      return number();
    case TokenKind::string:
      return string();
    default:
      break;
  }
  if (sees("(")) return parenthesis();
  if (sees("[")) return bracket();
  if (token_.kind == TokenKind::bad && !token_.text.empty() &&
      (token_.text[0] == '"' || token_.text[0] == '\'')) {
    return problem("the string is not closed", token_.place);
  }
  return unexpected("a value");
}

NodeId Parser::name() {
  const Token word = token_;
  if (sees("True") || sees("False")) {
    advance();
    return constant(word.text == "True", word.place);
  }
  if (accept("None")) return make({.op = Op::none, .place = word.place});
  if (std::ranges::find(reserved, word.text) != reserved.end()) return unexpected("a value");
  advance();
  if (sees("(")) {
    const auto known =
        std::ranges::find_if(functions, [&](auto& f) { return f.first == word.text; });
    if (known != functions.end()) return call(known->second, word.place);
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

NodeId Parser::number() {
  std::string text(token_.text);
  const Place place = token_.place;
  const bool tidy = drop_underscores(text);
  if (token_.kind == TokenKind::integer) {
    const auto value = tidy ? read_integer(text) : std::nullopt;
    const bool digits = tidy && text.find_first_not_of("0123456789") == std::string::npos;
    if (!value && digits && text[0] != '0') {
      return problem(fmt::format("{} is beyond 64 bits", text), place);
    }
    if (!value) return problem(fmt::format("'{}' is not a number", text), place);
    advance();
    return constant(*value, place);
  }
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!tidy || read.ec != std::errc() || read.ptr != text.data() + text.size()) {
    return problem(fmt::format("'{}' is not a number that a float can hold", text), place);
  }
  advance();
  return constant(value, place);
}

NodeId Parser::string() {
  constexpr std::string_view escapes = "\\'\"nt";
  constexpr std::string_view meanings = "\\'\"\n\t";
  const Place place = token_.place;
  const std::string_view inside = token_.text.substr(1, token_.text.size() - 2);
  std::string made;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\') {
      made += inside[i];
      continue;
    }
    const std::size_t known = escapes.find(inside[++i]);
    if (known == std::string_view::npos) {
      return problem(fmt::format("'\\{}' is not an escape that is known here", inside[i]), place);
    }
    made += meanings[known];
  }
  advance();
  return constant(std::move(made), place);
}

// "(" expression ")", or a tuple: empty, or with a comma.
NodeId Parser::parenthesis() {
  const Place place = token_.place;
  advance();
  if (accept(")")) return make({.op = Op::tuple, .place = place});
  const NodeId first = expression();
  if (accept(")")) return first;
  expect(",");
  std::vector<NodeId> children = items(")");
  children.insert(children.begin(), first);
  return make({.op = Op::tuple, .children = std::move(children), .place = place});
}

// Items up to the closing bracket, which is consumed; the last may have a comma behind it.
std::vector<NodeId> Parser::items(std::string_view close) {
  std::vector<NodeId> made;
  while (!error_ && !accept(close)) {
    made.push_back(expression());
    if (accept(close)) break;
    expect(",");
  }
  return made;
}

NodeId Parser::bracket() {
  const Place place = token_.place;
  advance();
  if (const auto bound = bound_names(lexer_, token_); !bound.empty()) {
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
  for (std::size_t clause = 0; !error_ && !accept(close);) {
    const Place at = token_.place;
    if (clause > 0 && accept("if")) {
      const NodeId condition = disjunction();
      node.children.push_back(make({.op = Op::only, .children = {condition}, .place = at}));
      continue;
    }
    expect("for");
    if (token_.kind != TokenKind::name || clause >= mine.size()) unexpected("a name");
    if (error_) break;
    const std::uint32_t slot = mine[clause].slot;
    advance();
    expect("in");
    if (clause++ == 0) unbind();
    const NodeId from = disjunction();
    if (clause == 1) bind();
    node.children.push_back(make({.op = Op::each, .slot = slot, .children = {from}, .place = at}));
  }
  unbind();
  return make(std::move(node));
}

NodeId Parser::call(Function function, Place place) {
  expect("(");
  Node node{.op = Op::call, .function = function, .place = place};
  if (const auto bound = bound_names(lexer_, token_); !bound.empty()) {
    node.children = {comprehension(bound, ")", place)};
  } else {
    node.children = items(")");
  }
  const std::size_t count = node.children.size();
  const bool several = function == Function::min || function == Function::max;
  const bool empty = function == Function::list || function == Function::tuple;
  const std::size_t most = several ? count : function == Function::range ? 3 : 1;
  if (count > most || (count == 0 && !empty)) {
    return problem("the function takes another number of arguments", place);
  }
  return make(std::move(node));
}

}  // namespace vyre::space
