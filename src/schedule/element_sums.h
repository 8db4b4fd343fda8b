// Variables that add up what a part of a program adds to a few elements by atomics.
//
// The lanes of a vector that go to one element are added up lane by lane, so that a loop has one
// vector addition and not a sum of lanes in every iteration:
//
//   atomic n[0] += sum(v)     becomes     s = s + v,     and after it,     atomic n[0] += sum(s)
#pragma once

#include <string>
#include <vector>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

class ElementSums {
 public:
  // Keeps the reference.
  explicit ElementSums(ir::Names& names) : names_(&names) {}

  // What takes the atomic's place. Its index must mean the same where the sum is added at last.
  [[nodiscard]] ir::Stmt added(const ir::AtomicAdd& atomic);

  // One for each element, in the order of the first atomics.
  struct Sum {
    std::string buffer;
    ir::Expr index;
    std::vector<ir::Var> parts;  // a variable for each number of lanes
    [[nodiscard]] Scalar scalar() const { return parts.front().type.scalar; }
    // All that was added.
    [[nodiscard]] ir::Expr total() const;
  };
  [[nodiscard]] const std::vector<Sum>& sums() const { return sums_; }

  // Declares the variables, at zero.
  void declare(ir::Block& into) const;

 private:
  Sum& sum_of(const ir::AtomicAdd& atomic);
  const ir::Var& part_of(Sum& sum, ir::Type type);

  ir::Names* names_;
  std::vector<Sum> sums_;
};

// Adds the value by an atomic if it is not zero. If it is, perhaps no atomic was reached, and the
// index may be out of bounds.
[[nodiscard]] ir::Stmt added_if_any(const std::string& buffer, const ir::Expr& index,
                                    const ir::Expr& value);

}  // namespace vyre::schedule
