// Expressions as C-like text.
//
// Signed arithmetic that might wrap is done on the bits, as u32 or u64: in C it would be undefined.
// Where the ranges show that it cannot wrap it is written plainly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emit/code.h"
#include "emit/kernel_state.h"
#include "vyre/ir/expr.h"

namespace vyre::emit {

class Expressions {
 public:
  explicit Expressions(KernelState& state) : state_(state) {}

  [[nodiscard]] Code emit(const ir::Expr& expr);
  // A signed expression as the unsigned integer of the same bits.
  [[nodiscard]] Code emit_bits(const ir::Expr& expr);
  [[nodiscard]] Element element(const std::string& buffer, const ir::Expr& index,
                                std::uint8_t lanes);

  // Declarations that must come before the statement that holds what was emitted: deep expressions
  // are taken apart, since compilers limit how far brackets nest.
  [[nodiscard]] std::vector<std::string> take_parts() { return std::exchange(parts_, {}); }

 private:
  Code visit(const ir::Expr& expr);
  Code split_if_deep(Code code, ir::Type type);
  Code address(const ir::Expr& index);
  Code var(const ir::Var& node);
  Code id(const ir::Id& node);
  Code unary(const ir::Expr& expr, const ir::Unary& node);
  Code binary(const ir::Expr& expr, const ir::Binary& node);
  Code quotient(const ir::Binary& node);
  Code shift(const ir::Binary& node);
  Code shift_count(const ir::Expr& count, bool as_bits);
  Code wrapping(const ir::Expr& expr);
  Code select(const ir::Select& node);
  std::optional<Code> shuffle(const ir::Expr& expr, const ir::Vector& node);
  Code vector(const ir::Expr& expr, const ir::Vector& node);
  template <class... Operands>
  Code function(Function function, const Operands&... operands);

  KernelState& state_;
  std::vector<std::string> parts_;
};

}  // namespace vyre::emit
