// The names of a program: which are declared, assigned and read, new ones that are free, and copies
// of a program in which they are others.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>

#include "vyre/ir/program.h"

namespace vyre::ir {

using NameSet = std::unordered_set<std::string>;

// Gives out names that are free.
class Names {
 public:
  Names() = default;
  explicit Names(const Program& program);
  // From now on this name is not free.
  void take(const std::string& name) { taken_.insert(name); }
  // `like` itself or the first of like_2, like_3, ... that is free, shortened so that it is a name;
  // never given twice.
  [[nodiscard]] std::string fresh(const std::string& like);

 private:
  NameSet taken_;
};

// The name that the statement itself declares, or null.
[[nodiscard]] const std::string* declared_name(const Stmt& stmt);
// The names that a block and the blocks inside it declare, and those that they assign to.
[[nodiscard]] NameSet declared_names(const Block& block);
[[nodiscard]] NameSet assigned_names(const Block& block);
// Those of the declared names that are declared with var.
[[nodiscard]] NameSet mutable_names(const Block& block);

// The private buffers of a program.
[[nodiscard]] NameSet private_names(const Program& program);

// Whether a value named in the expression is one of these.
[[nodiscard]] bool mentions(const Expr& expr, const NameSet& names);
// Whether memory is read.
[[nodiscard]] bool has_load(const Expr& expr);

// New names for what a program declares; by default all stay. `local` is called once for each
// declaration, in the order of the text, and uses follow the declaration they mean.
struct Renaming {
  using Rename = std::function<std::string(const std::string&)>;
  static std::string keep(const std::string& name) { return name; }

  Rename local = keep;    // let, var, loop variables
  Rename buffer = keep;   // by the present name, at every use
  Rename uniform = keep;  // likewise
};
[[nodiscard]] Block renamed(const Block& block, const Renaming& renaming);
// Interface, sizes and bodies; not the program's own name. Requires: the new names are distinct.
[[nodiscard]] Program renamed(const Program& program, const Renaming& renaming);

// The same program, in which no name is declared twice, so that passes can speak of names without
// their scopes.
[[nodiscard]] Program with_unique_names(Program program);

// A copy of the block that declares other names, to stand in the same scope as the block.
[[nodiscard]] Block copy_of(const Block& block, Names& names);

}  // namespace vyre::ir
