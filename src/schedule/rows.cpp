#include "schedule/rows.h"

#include <algorithm>
#include <optional>

#include "ir/definitions.h"
#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"

namespace vyre::schedule {
namespace {

using ir::Binary;
using ir::BinaryOp;
using ir::Expr;

class RowFinder {
 public:
  RowFinder(const ir::Block& body, const Lanes::Options& options)
      : options_(options),
        item_(ir::Id{ir::IdKind::invocation, options.dim}),
        definitions_(body),
        declared_(declared_names(body)) {}

  Expr simple(const Expr& e) {
    const auto* node = ir::as<Binary>(e);
    if (node == nullptr || (node->op != BinaryOp::div && node->op != BinaryOp::rem)) return e;
    if (definitions_.expanded(node->left) != item_) return e;
    const auto length = length_of(definitions_.expanded(node->right));
    if (!length) return e;
    Expr of_first = Binary{node->op, options_.first, *length};
    if (node->op == BinaryOp::div) return of_first;
    return plus(of_first, minus(item_, options_.first));
  }

  [[nodiscard]] const std::vector<Expr>& tests() const { return tests_; }

 private:
  // The length of a row, if that is the same for all, and what must be tested of it. In short rows
  // the items would be in two of them too often.
  std::optional<Expr> length_of(const Expr& length) {
    if (const auto known = literal_bits(length)) {
      const bool is_whole = *known > 0 && *known % options_.width == 0;
      const bool is_long = *known >= 8 * options_.width;
      if (!is_whole && !is_long) return std::nullopt;
      if (is_phase(*known)) return std::nullopt;
      if (!is_whole) test(length);
      return length;
    }
    const bool is_fixed = !any_expr(length, [&](const Expr& e) {
      const auto* var = ir::as<ir::Var>(e);
      return ir::is<ir::Id>(e) || ir::is<ir::Load>(e) ||
             (var != nullptr && declared_.contains(var->name));
    });
    if (!is_fixed) return std::nullopt;
    test(length);
    return length;
  }

  // What schedule/quotients.h makes a literal of.
  [[nodiscard]] bool is_phase(std::uint32_t length) const {
    return !options_.vectors && options_.width % length == 0;
  }

  // The last item is in the row of the first one. A row of no length has no last one.
  void test(const Expr& length) {
    const Expr width = ir::literal(options_.width);
    const Expr column = Binary{BinaryOp::rem, options_.first, length};
    const Expr made = both(compared(BinaryOp::ge, length, width),
                           compared(BinaryOp::le, column, minus(length, width)));
    if (std::ranges::find(tests_, made) == tests_.end()) tests_.push_back(made);
  }

  const Lanes::Options& options_;
  Expr item_;
  ir::Definitions definitions_;
  ir::NameSet declared_;
  std::vector<Expr> tests_;
};

}  // namespace

InRows with_rows(const ir::Block& body, const Lanes::Options& options) {
  RowFinder finder(body, options);
  ir::Block made = map_exprs(body, [&](const Expr& e) { return finder.simple(e); });
  return {.body = std::move(made), .tests = finder.tests()};
}

}  // namespace vyre::schedule
