// The names of a program: new ones that are free, and a form in which each stands for one thing.
#pragma once

#include <string>
#include <unordered_set>

#include "vyre/ir/program.h"

namespace vyre::schedule {

class Names {
 public:
  explicit Names(const ir::Program& program);
  // `like` itself or with a number; never given twice.
  [[nodiscard]] std::string fresh(const std::string& like);

 private:
  std::unordered_set<std::string> taken_;
};

// The names that a block and the blocks inside it declare, and those that they assign to.
[[nodiscard]] std::unordered_set<std::string> declared_names(const ir::Block& block);
[[nodiscard]] std::unordered_set<std::string> assigned_names(const ir::Block& block);
// Those of the declared names that are declared with var.
[[nodiscard]] std::unordered_set<std::string> mutable_names(const ir::Block& block);

// The same program, in which no name is declared twice, so that passes can speak of names without
// their scopes.
[[nodiscard]] ir::Program with_unique_names(ir::Program program);

// A copy of the block that declares other names, to stand in the same scope as the block.
[[nodiscard]] ir::Block copy_of(const ir::Block& block, Names& names);

}  // namespace vyre::schedule
