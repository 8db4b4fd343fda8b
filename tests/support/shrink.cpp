#include "support/shrink.h"

#include <optional>

#include "ir/rewrite.h"
#include "ir/validate.h"
#include "vyre/ir/build.h"

namespace vyre::testing {

using namespace ir;  // NOLINT(google-build-using-namespace): this file is about nothing else

namespace {

// Walks the program and applies edit number `index`, counting from 0 in the order of the text.
class Editor {
 public:
  explicit Editor(std::size_t index) : left_(index) {}

  [[nodiscard]] bool done() const { return done_; }

  Block block(const Block& body) {
    Block made;
    for (const Stmt& stmt : body) {
      if (take()) continue;  // without this statement
      if (const Block* inner = taken_block(stmt)) {
        made.insert(made.end(), inner->begin(), inner->end());
        continue;
      }
      made.push_back(statement(stmt));
    }
    return made;
  }

 private:
  bool take() {
    if (done_) return false;
    if (left_ > 0) {
      --left_;
      return false;
    }
    return done_ = true;
  }

  // The statements of an inner block in place of the statement around it.
  const Block* taken_block(const Stmt& stmt) {
    const Block* taken = nullptr;
    static_cast<void>(any_block(stmt, [&](const Block& inner) {
      if (!inner.empty() && take()) taken = &inner;
      return taken != nullptr;
    }));
    return taken;
  }

  Stmt statement(const Stmt& stmt) {
    return with_parts(
        stmt, [&](const Expr& e) { return expr(e); },
        [&](const Block& inner) { return block(inner); });
  }

  // An operand of the same type, or zero, in place of the expression.
  Expr expr(const Expr& e) {
    std::optional<Expr> taken;
    static_cast<void>(any_operand(e, [&](const Expr& operand) {
      if (operand.type() == e.type() && take()) taken = operand;
      return taken.has_value();
    }));
    if (taken) return *taken;
    const Expr zero = constant(0, e.type()).expr();
    if (e != zero && !is<Literal>(e) && take()) return zero;
    return with_operands(e, [&](const Expr& operand) { return expr(operand); });
  }

  std::size_t left_;
  bool done_ = false;
};

std::optional<Program> edited(const Program& program, std::size_t edit) {
  Editor editor(edit);
  Program made = program;
  made.body = editor.block(program.body);
  if (!editor.done()) return std::nullopt;
  return made;
}

}  // namespace

Program shrunk(Program program, const std::function<bool(const Program&)>& fails) {
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (std::size_t edit = 0;; ++edit) {
      auto candidate = edited(program, edit);
      // An edit that is kept makes the next one take its number.
      while (candidate && validate(*candidate).empty() && fails(*candidate)) {
        program = *std::move(candidate);
        smaller = true;
        candidate = edited(program, edit);
      }
      if (!candidate) break;
    }
  }
  return program;
}

}  // namespace vyre::testing
