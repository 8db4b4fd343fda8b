#include "ir/tree_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/visit.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

class TreeSizes {
 public:
  // Stops to count above the limit.
  std::uint32_t of(const Expr& expr) {
    if (const auto known = sizes_.find(&*expr); known != sizes_.end()) return known->second;
    std::uint32_t size = 1;
    for_each_operand(expr,
                     [&](const Expr& e) { size = std::min(size + of(e), max_tree_size + 1); });
    sizes_.insert({&*expr, size});
    return size;
  }

 private:
  std::unordered_map<const ExprNode*, std::uint32_t> sizes_;
};

}  // namespace

Problems too_large(const Program& program) {
  Problems problems;
  TreeSizes sizes;
  const auto large = [&](const Expr& e) {
    return e.depth() <= max_nesting && sizes.of(e) > max_tree_size;
  };
  for_each_stmt(program, [&](const Stmt& stmt) {
    if (!any_operand(stmt, large)) return;
    problems.push_back({ErrorKind::input,
                        fmt::format("the expression has more than {} parts, as each use of a value "
                                    "counts: name some with let",
                                    max_tree_size),
                        stmt.place});
  });
  return problems;
}

}  // namespace vyre::ir
