// The parser of the text form: recursive descent that goes on after a mistake.
//
// A part that cannot be read is reported once and stands in the tree as `missing()`, a name without
// text and of unknown type, which validation passes over in silence; so the rest is still checked.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/lexer.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

[[nodiscard]] inline Expr missing(Place place) { return Expr(Var{"", Type{}}, place); }

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) { advance(); }

  // What could be read, and the problems with the rest.
  Program program();
  [[nodiscard]] const Problems& problems() const { return problems_; }

 private:
  using Types = std::map<std::string, Type, std::less<>>;

  // parser.cpp
  void declarations(Program& program);
  bool declaration(Program& program);
  Scalar scalar(std::string_view choices);
  void uniform(Program& program);
  void buffer(Program& program, Memory memory);
  void grid(std::array<Expr, 3>& grid);
  void workgroup(Program& program);
  [[nodiscard]] bool sees_other_workgroup() const;
  [[nodiscard]] bool sees_scratch() const;
  [[nodiscard]] bool sees_stage() const;
  [[nodiscard]] bool sees_nontemporal() const;
  Stage stage();
  Extent extents();
  // parse_stmt.cpp
  Block block();
  void statements(Block& into);
  void statement(Block& into);
  [[nodiscard]] bool is_foreign() const;
  Stmt let(bool is_mutable);
  Stmt assign_or_store();
  Expr assigned(const Expr& target, std::string_view where);
  Stmt atomic();
  Stmt if_else();
  Stmt while_loop();
  Stmt for_loop();
  void skip_statement();
  std::string new_name(std::string_view what);

  // parse_expr.cpp
  Expr expr() { return binary(1); }
  Expr binary(int lowest);
  Expr unary();
  Expr postfix();
  Expr primary();
  Expr word();
  Expr named(const Token& name);
  Expr number(bool negative, Place place);
  Expr named_constant(Scalar scalar, Place place, bool negative);
  Expr call(std::string_view function, Place place);
  Expr build_call(std::string_view function, const std::vector<Expr>& arguments, Place place);
  Expr vector(Place place);
  Expr id(IdKind kind, Place place);
  std::vector<Expr> arguments(std::string_view close);
  struct Element {
    Expr index;
    std::uint8_t lanes = 1;
    Place place = {};
  };
  Element element();
  Expr load(const Token& name, const Element& at);
  Expr bounded(Expr made);

  // Tokens.
  void advance() {
    previous_ = token_;
    token_ = lexer_.next();
  }
  [[nodiscard]] bool sees(std::string_view text) const {
    return (token_.kind == TokenKind::word || token_.kind == TokenKind::sign) &&
           token_.text == text;
  }
  bool accept(std::string_view text);
  bool expect(std::string_view text, std::string_view where);
  // One message per mistake: what follows it is skipped quietly until parsing is back on its feet.
  void problem(std::string message, Place place);
  void unexpected(std::string_view expected);
  [[nodiscard]] bool full() const;

  // Names.
  void declare(const std::string& name, Type type) { scopes_.back()[name] = type; }
  [[nodiscard]] Type type_named(std::string_view name) const;

  Lexer lexer_;
  Token token_;
  Token previous_;
  Problems problems_;
  bool panicking_ = false;
  bool has_grid_ = false;
  bool has_workgroup_ = false;
  std::uint32_t nesting_ = 0;
  std::uint32_t missing_names_ = 0;
  std::vector<Types> scopes_ = {{}};
  std::map<std::string, Scalar, std::less<>> buffers_;
};

}  // namespace vyre::ir
