// Which values differ between invocations that stand side by side in one dimension of the grid.
//
// An expression is uniform along a dimension if all invocations that differ only there give it the
// same value each time they evaluate it together. A load is uniform where its index is: an element
// that several invocations read is written by none of them, else the program has a race.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "vyre/ir/program.h"

namespace vyre::schedule {

class Varying {
 public:
  // Requires: unique names, independent invocations.
  Varying(const ir::Block& body, std::uint8_t dim);

  [[nodiscard]] bool varies(const std::string& name) const { return names_.contains(name); }
  [[nodiscard]] bool varies(const ir::Expr& expr) const;
  // Whether invocations can take different ways here: an if whose condition, or a loop whose head,
  // varies.
  [[nodiscard]] bool diverges(const ir::Stmt& stmt) const;

 private:
  bool learn(const ir::Block& block, bool together);
  bool learn(const std::string& name);

  std::uint8_t dim_;
  std::unordered_set<std::string> names_;
};

}  // namespace vyre::schedule
