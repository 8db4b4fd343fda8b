// Compiles expressions: appends the steps that compute them and says where the value is.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "interpret/registers.h"
#include "interpret/tape.h"
#include "vyre/ir/expr.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::interpret {

// Where a value is, and how long it stays there.
struct Value {
  enum class Origin : std::uint8_t {
    temporary,  // in `owned`, which nothing else refers to
    lasting,    // a constant, id, let or loop variable: unchanged while its name is visible
    variable,   // changes when the variable is assigned
  };
  Column column = 0;
  Origin origin = Origin::lasting;
  Register owned;  // to be released after use
};

class Expressions {
 public:
  Expressions(const ir::Program& program, const ir::Uniforms& uniforms, const Shape& shape,
              Tape& tape);

  // Accesses inside `expr` name `stmt` in errors.
  Value compile(const ir::Expr& expr, const ir::Stmt& stmt);

  // The same value where it lasts: a variable is copied.
  Value kept(const Value& value, ir::Type type);
  // The same value in a register of its own, which may be overwritten.
  Value own(const Value& value, ir::Type type);

  void release(const Value& value) { registers_.release(value.owned); }
  Value temporary(ir::Type type);
  void emit(Step step) { tape_.steps.push_back(step); }

  void bind(std::string_view name, const Value& value) { names_[name] = value; }
  void unbind(std::string_view name);
  [[nodiscard]] const Value& named(std::string_view name) const { return names_.at(name); }
  [[nodiscard]] std::uint32_t buffer_named(std::string_view name) const {
    return buffers_.at(name);
  }

  [[nodiscard]] std::uint32_t columns() const { return registers_.columns(); }

  // Steps of one invocation: one for each operation and access.
  [[nodiscard]] static std::uint32_t cost(const ir::Expr& expr);

 private:
  Value node(const Literal& n);
  Value node(const ir::Var& n);
  Value node(const ir::Id& n);
  Value node(const ir::Load& n, const ir::Stmt& stmt);
  Value node(const ir::Vector& n, ir::Type type, const ir::Stmt& stmt);
  Value node(const ir::Lane& n, const ir::Stmt& stmt);
  Value node(const ir::Reduce& n, const ir::Stmt& stmt);
  Value compute(Kernel kernel, ir::Type type, std::initializer_list<ir::Expr> operands,
                const ir::Stmt& stmt);
  Value copied(const Value& value, ir::Type type);

  const ir::Program& program_;
  const ir::Uniforms& uniforms_;
  const Shape& shape_;
  Tape& tape_;
  Registers registers_;
  std::unordered_map<std::string_view, Value> names_;
  std::unordered_map<std::string_view, std::uint32_t> buffers_;
  std::map<std::pair<Scalar, std::uint64_t>, Column> constants_;
  std::map<std::pair<ir::IdKind, std::uint8_t>, Column> ids_;
};

}  // namespace vyre::interpret
