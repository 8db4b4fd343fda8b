// Statements and blocks of the text form.
#include <fmt/format.h>

#include "ir/hints.h"
#include "ir/parser.h"
#include "ir/words.h"
#include "vyre/ir/text.h"

namespace vyre::ir {

Block Parser::block() {
  Block body;
  if (!expect("{", "to open a block")) return body;
  if (nesting_ >= max_nesting) {
    problem(fmt::format("blocks are nested deeper than {}", max_nesting), previous_.place);
    // Nothing in here can be read any more: stop reporting.
    while (token_.kind != TokenKind::end) advance();
    return body;
  }
  ++nesting_;
  scopes_.emplace_back();
  statements(body);
  scopes_.pop_back();
  --nesting_;
  panicking_ = false;
  expect("}", "to close the block");
  return body;
}

// Until the block's closing brace or the end of the text, which are left to the caller.
void Parser::statements(Block& into) {
  while (!full()) {
    if (panicking_) skip_statement();
    if (token_.kind == TokenKind::end || sees("}")) return;
    if (nesting_ == 0 && sees_stage()) return;
    statement(into);
  }
  while (token_.kind != TokenKind::end) advance();
}

void Parser::statement(Block& into) {
  const Place place = token_.place;
  const auto add = [&](Stmt made) {
    made.place = place;
    into.push_back(std::move(made));
  };
  if (accept("let")) return add(let(false));
  if (accept("var")) return add(let(true));
  if (accept("atomic")) return add(atomic());
  if (accept("if")) return add(if_else());
  if (accept("for")) return add(for_loop());
  if (accept("while")) return add(while_loop());
  if (accept("break")) return add({Break{}});
  if (accept("barrier")) return add({Barrier{}});
  if (accept("region")) {
    const Token name = token_;
    if (name.kind != TokenKind::string) return unexpected("the region's name in quotes");
    advance();
    return add({Region{std::string(name.text), block()}});
  }
  if (is_foreign()) {
    problem(fmt::format("expected a statement, found '{}'{}", token_.text, hint(token_.text)),
            place);
    return advance();
  }
  if (sees_stage()) {
    problem("a stage stands after all statements of the program, in no block", place);
    return advance();
  }
  const bool is_declared = sees_scratch();
  if (token_.kind == TokenKind::word && is_name(token_.text) && !is_declared) {
    return add(assign_or_store());
  }
  for (const std::string_view word :
       {"uniform", "buffer", "shared", "private", "scratch", "grid", "workgroup", "reassociate"}) {
    if (sees(word)) {
      problem(fmt::format("'{}' must stand before the first statement", word), place);
      return advance();
    }
  }
  unexpected("a statement");
  if (token_.kind != TokenKind::end && !sees("}")) advance();
}

// A word of another language, as in `float x = 1.0`, and not a name of the program's own.
bool Parser::is_foreign() const {
  if (token_.kind != TokenKind::word || !is_name(token_.text)) return false;
  if (hint(token_.text).empty()) return false;
  const std::string_view next = Lexer(lexer_).next().text;
  return next != "=" && next != "[" && !compound_sign(next);
}

Stmt Parser::let(bool is_mutable) {
  std::string name = new_name("a value");
  expect("=", "after the name");
  Expr value = panicking_ ? missing(token_.place) : expr();
  declare(name, value.type());
  return {Let{std::move(name), std::move(value), is_mutable}};
}

Stmt Parser::assign_or_store() {
  const Token name = token_;
  advance();
  if (!sees("[")) {
    const Expr target(Var{std::string(name.text), type_named(name.text)}, name.place);
    return {Assign{std::string(name.text), assigned(target, fmt::format("'{}'", name.text))}};
  }
  Element at = element();
  Expr value = panicking_ ? missing(token_.place) : assigned(load(name, at), "the element");
  const Type type = value.type();
  if (!panicking_ && type.scalar != Scalar::unknown && type.lanes != at.lanes) {
    problem(fmt::format("{}[...] stores {} element{}, but the value is {}: write {}[i{}]",
                        name.text, at.lanes, at.lanes == 1 ? "" : "s", to_string(type), name.text,
                        type.lanes == 1 ? "" : fmt::format(" : {}", type.lanes)),
            name.place);
    panicking_ = false;
  }
  return {Store{std::string(name.text), std::move(at.index), std::move(value)}};
}

// What stands behind the sign: after `x[i] += e` it is x[i] + e.
Expr Parser::assigned(const Expr& target, std::string_view where) {
  const Place place = token_.place;
  const auto op = token_.kind == TokenKind::sign ? compound_sign(token_.text) : std::nullopt;
  if (op) {
    advance();
  } else if (!accept("=")) {
    unexpected(fmt::format("'=' after {}", where));
  }
  Expr value = panicking_ ? missing(token_.place) : expr();
  return op && !panicking_ ? bounded(Expr(Binary{*op, target, std::move(value)}, place)) : value;
}

Stmt Parser::atomic() {
  const Token name = token_;
  if (name.kind != TokenKind::word) unexpected("a buffer's name after 'atomic'");
  if (!panicking_) advance();
  Element at = panicking_ ? Element{.index = missing(token_.place)} : element();
  if (at.lanes != 1) problem("an atomic adds to one element", at.place);
  expect("+=", "after the element");
  Expr value = panicking_ ? missing(token_.place) : expr();
  return {AtomicAdd{std::string(name.text), std::move(at.index), std::move(value)}};
}

Stmt Parser::if_else() {
  If made{.cond = expr()};
  made.then = block();
  while (accept("else")) {
    if (!sees("if")) {
      made.otherwise = block();
      break;
    }
    const Place place = token_.place;
    advance();
    if (nesting_ >= max_nesting) {
      problem(fmt::format("'else if' is chained deeper than {}", max_nesting), place);
      while (token_.kind != TokenKind::end) advance();
      break;
    }
    ++nesting_;
    made.otherwise.push_back(if_else());
    made.otherwise.back().place = place;
    --nesting_;
    break;
  }
  return {std::move(made)};
}

Stmt Parser::while_loop() {
  While made{.cond = expr()};
  made.body = block();
  return {std::move(made)};
}

Stmt Parser::for_loop() {
  For made;
  if (sees("(")) unexpected("a loop such as `for i in 0 .. n { ... }`");
  made.name = new_name("a loop variable");
  expect("in", "after the loop variable");
  made.begin = panicking_ ? missing(token_.place) : expr();
  expect("..", "after the loop's first value");
  made.end = panicking_ ? missing(token_.place) : expr();
  const bool is_signed = made.begin.type().scalar == Scalar::i32;
  made.step = is_signed ? literal(1) : literal(1U);
  if (!panicking_ && accept("step")) made.step = expr();
  if (panicking_ && !sees("{")) return {std::move(made)};
  scopes_.emplace_back();
  declare(made.name, made.begin.type());
  made.body = block();
  scopes_.pop_back();
  return {std::move(made)};
}

}  // namespace vyre::ir
