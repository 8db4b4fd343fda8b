// Statements as C-like text.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "emit/expression.h"
#include "emit/kernel_state.h"
#include "vyre/ir/program.h"

namespace vyre::emit {

class Statements {
 public:
  explicit Statements(KernelState& state) : state_(state), expressions_(state) {}

  void block(const ir::Block& block);
  // The lines so far, indented by one level.
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

  // "if (...) return;" for the dimensions in which surplus invocations can exist; or nothing.
  void return_if_surplus();

 private:
  void statement(const ir::Stmt& stmt);
  void scope(const ir::Block& block);
  void let(const ir::Let& let);
  void assign(const ir::Assign& assign);
  void store(const ir::Store& store);
  void atomic_add(const ir::AtomicAdd& add);
  void barrier();
  [[nodiscard]] bool is_alone() const;
  void branch(const ir::If& branch);
  void branch_scope(const ir::Block& inner);
  void otherwise(const ir::Block& block);
  void loop(const ir::For& loop);
  void loop(const ir::While& loop);
  void region(const ir::Region& region);

  // An operand of a loop's head: itself if it is constant and short, else hoisted.
  Code hoisted(const ir::Expr& expr, const std::string& name, std::string& declarations);
  std::string increment(const ir::For& loop, const std::string& name, const Code& step,
                        ir::Interval values) const;
  [[nodiscard]] bool has_surplus(std::uint8_t dim) const;
  void line(std::string_view text);

  KernelState& state_;
  Expressions expressions_;
  std::unordered_set<std::string> mutable_;
  std::string text_;
  std::size_t indent_ = 1;
};

}  // namespace vyre::emit
