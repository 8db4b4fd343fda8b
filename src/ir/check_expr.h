// The rules for expressions: every name is declared, every operand has a type that fits.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::ir {

// What a name stands for inside the body.
struct Symbol {
  Type type;
  bool assignable = false;
  Place place = {};
};

// The names visible at a point of the program.
class Scope {
 public:
  void open() { levels_.emplace_back(); }
  void close() { levels_.pop_back(); }
  void declare(const std::string& name, Symbol what) { levels_.back()[name] = what; }
  [[nodiscard]] const Symbol* find(std::string_view name) const;
  // The visible name that is most like this one, or empty; among so many that the work is bounded.
  [[nodiscard]] std::string_view nearest(std::string_view name) const;

 private:
  std::vector<std::map<std::string, Symbol, std::less<>>> levels_ = {{}};
  mutable std::size_t compared_ = 0;  // by nearest
};

// Checks expressions of one program and reports through `report`.
class ExprChecker {
 public:
  using Report = std::function<void(std::string message, Place place)>;

  ExprChecker(const Program& program, const Scope& scope, bool parsed, Report report)
      : program_(program), scope_(scope), parsed_(parsed), report_(std::move(report)) {}

  // Whether the expression is well typed. Reports what is not; says nothing about a part whose type
  // is unknown because of a problem reported already.
  bool check(const Expr& expr);

  // check, and a scalar of this type.
  bool check_is(const Expr& expr, Type required, std::string_view what);

  // The buffer, if it exists; reports it if it does not.
  const Buffer* buffer(std::string_view name, Place place);
  bool check_index(const Expr& index) { return check_is(index, Type{Scalar::u32}, "an index"); }

 private:
  bool refuse(const Expr& at, std::string message);
  bool node(const Literal& n, const Expr& at);
  bool node(const Var& n, const Expr& at);
  bool node(const Id& n, const Expr& at);
  bool node(const Load& n, const Expr& at);
  bool node(const Unary& n, const Expr& at);
  bool node(const Binary& n, const Expr& at);
  bool node(const Fma& n, const Expr& at);
  bool node(const Select& n, const Expr& at);
  bool node(const Convert& n, const Expr& at);
  bool node(const Bitcast& n, const Expr& at);
  bool node(const Splat& n, const Expr& at);
  bool node(const Vector& n, const Expr& at);
  bool node(const Lane& n, const Expr& at);
  bool node(const Reduce& n, const Expr& at);

  const Program& program_;
  const Scope& scope_;
  bool parsed_;
  Report report_;
};

}  // namespace vyre::ir
