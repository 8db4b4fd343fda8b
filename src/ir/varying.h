// Which values differ between invocations that stand side by side in one dimension of the grid, or
// between iterations of a loop.
//
//   e is uniform along d   if and only if   e(i) = e(j)
//
// for all invocations i and j that differ only in d and evaluate e together. A load is uniform
// where its index is: an element that several invocations read is written by none of them, else the
// program has a race. A private buffer is uniform where all come together to all stores to it, and
// these write uniform values to uniform places.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

class Varying {
 public:
  // Requires: unique names, independent invocations. Of `counters`, each is seen in one loop only,
  // and assigned by all that are in it at that time or by none.
  Varying(const Block& body, std::uint8_t dim, NameSet private_buffers, NameSet counters = {});
  // Along a loop with this body: from iteration to iteration the names of `seeds` vary, the loop's
  // variable among them. Requires: no iteration writes what another reads.
  Varying(const Block& body, NameSet seeds);

  // Of values and private buffers.
  [[nodiscard]] bool varies(const std::string& name) const { return names_.contains(name); }
  [[nodiscard]] bool varies(const Expr& expr) const;
  // Whether invocations can take different ways here: an if whose condition, or a loop whose head,
  // varies, or a while that some of them can leave before others do.
  [[nodiscard]] bool diverges(const Stmt& stmt) const;

 private:
  [[nodiscard]] bool leaves_apart(const Block& block) const;
  bool learn(const Block& block, bool together);
  bool learn(const std::string& name);

  void learn_all(const Block& body);

  std::optional<std::uint8_t> dim_;
  NameSet private_;
  NameSet counters_;
  NameSet names_;
};

}  // namespace vyre::ir
