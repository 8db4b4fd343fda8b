// The frame around items: how a grid that was divided by a number of items is walked in full.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// The private buffers of a program, and some of them made to hold the elements of several items.
[[nodiscard]] std::vector<ir::Buffer> private_buffers(const ir::Program& program);
void spread(ir::Program& program, const ir::NameSet& private_buffers, std::uint32_t items);
// The buffers that nobody writes to, of a size that does not depend on the workgroup.
[[nodiscard]] std::vector<ir::Buffer> constant_buffers(const ir::Program& program);

// One dimension of a program whose invocations are going to do several items each.
class Items {
 public:
  // Requires: unique names; independent invocations.
  Items(ir::Program program, std::uint8_t dim, std::uint32_t count);

  [[nodiscard]] ir::Names& names() { return names_; }
  // The body of one item as it was, its number still written invocation.d.
  [[nodiscard]] const ir::Block& body() const { return program_.body; }
  // What each item has for itself.
  [[nodiscard]] std::vector<ir::Buffer> private_buffers() const {
    return schedule::private_buffers(program_);
  }
  // From now on these private buffers hold the elements of all items.
  void spread(const ir::NameSet& private_buffers) {
    schedule::spread(program_, private_buffers, count_);
  }
  // The body of the item with this number.
  [[nodiscard]] ir::Block body_of(const ir::Expr& item) const;
  // The grid as it was, and whether it is known to be a multiple of the number of items.
  [[nodiscard]] const ir::Expr& extent() const { return extent_; }
  [[nodiscard]] bool divides() const;
  // "let first = invocation.d * count", and the expression `first`.
  [[nodiscard]] ir::Stmt let_first() const;
  [[nodiscard]] const ir::Expr& first() const { return first_; }
  // A loop over the items from first to `end`.
  [[nodiscard]] ir::Stmt loop_to(const ir::Expr& end);

  // `fast` where all items of an invocation are in the grid and the tests hold; else those that are
  // in the grid, one by one.
  [[nodiscard]] ir::Block in_full(ir::Block fast, const std::vector<ir::Expr>& tests = {});

  // The program with the divided grid and this body.
  [[nodiscard]] ir::Program with_body(ir::Block body) const;

 private:
  ir::Program program_;
  std::uint8_t dim_;
  std::uint32_t count_;
  ir::Names names_;
  ir::Expr extent_;
  std::string first_name_;
  ir::Expr first_;
};

}  // namespace vyre::schedule
