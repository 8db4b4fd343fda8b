#include "schedule/common_range.h"

#include <optional>

#include "ir/definitions.h"
#include "ir/fold.h"
#include "ir/rewrite.h"
#include "ir/stride.h"
#include "ir/varying.h"
#include "schedule/loops.h"

namespace vyre::schedule {
namespace {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::For;

// What a bound can be over all items: the same for all, or between that of the first and the last.
// `fits` holds where it does not wrap between these.
struct Bound {
  Expr least;
  Expr greatest;
  std::optional<Expr> fits;
};

class RangeSplitter {
 public:
  RangeSplitter(const Block& body, const Lanes::Options& options, ir::Names& names)
      : definitions_(body),
        varying_(body, options.dim, names_of(options.private_buffers)),
        strides_(body, varying_),
        dim_(options.dim),
        last_(plus(options.first, ir::literal(options.width - 1))),
        first_(options.first),
        names_(names) {}

  Block block(const Block& body) {
    Block made;
    for (const ir::Stmt& stmt : body) {
      const auto* loop = ir::as<For>(stmt);
      if (loop == nullptr || !varying_.diverges(stmt) || !split(*loop, made)) {
        made.push_back(with_blocks(stmt, [&](const Block& inner) { return block(inner); }));
      }
    }
    return made;
  }

 private:
  [[nodiscard]] Expr of_item(const Expr& expr, const Expr& item) const {
    const ir::Id own = {ir::IdKind::invocation, dim_};
    return replaced(definitions_.expanded(expr), [&](const Expr& e) {
      return e == Expr(own) ? std::optional(item) : std::nullopt;
    });
  }

  [[nodiscard]] std::optional<Bound> bound(const Expr& expr) const {
    constexpr std::uint32_t small = 1U << 16U;
    if (!varying_.varies(expr)) return Bound{expr, expr, {}};
    const auto stride = strides_.of(expr);
    const auto step = stride ? literal_bits(*stride) : std::nullopt;
    if (!step || (*step > small && *step < 0U - small)) return std::nullopt;
    const Expr of_first = of_item(expr, first_);
    const Expr of_last = of_item(expr, last_);
    if (varying_.varies(of_first) || varying_.varies(of_last)) return std::nullopt;
    const bool grows = *step <= small;
    const Expr& least = grows ? of_first : of_last;
    const Expr& greatest = grows ? of_last : of_first;
    return Bound{least, greatest, compared(BinaryOp::le, least, greatest)};
  }

  bool split(const For& loop, Block& into) {
    const auto begin = bound(loop.begin);
    const auto end = bound(loop.end);
    if (!is_literal(loop.step, 1) || !begin || !end) return false;
    const auto name = [&](const Expr& value, std::string_view part) {
      return named(value, loop.name + std::string(part), names_, into);
    };
    const Expr own_begin = name(loop.begin, "_begin");
    const Expr own_end = name(loop.end, "_end");
    const Expr from = name(begin->greatest, "_from");
    const Expr to = name(end_of_common(*begin, *end, from), "_to");
    if (begin->fits) part(loop, own_begin, minimum(from, own_end), into);
    part(loop, from, to, into);
    const bool from_zero = from.type().scalar == Scalar::u32 && is_literal(from, 0);
    const Expr reached = from_zero ? to : Expr(ir::Binary{BinaryOp::max, from, to});
    const Expr start = begin->fits ? Expr(ir::Binary{BinaryOp::max, own_begin, reached}) : reached;
    part(loop, start, own_end, into);
    return true;
  }

  // Nothing is common where a bound wraps.
  static Expr end_of_common(const Bound& begin, const Bound& end, const Expr& from) {
    if (!begin.fits && !end.fits) return end.least;
    const Expr fits = begin.fits && end.fits ? both(*begin.fits, *end.fits)
                      : begin.fits           ? *begin.fits
                                             : *end.fits;
    return ir::Select{fits, end.least, from};
  }

  void part(const For& loop, const Expr& from, const Expr& to, Block& into) {
    const std::string name = names_.fresh(loop.name);
    Block body = copy_of(with_var(loop.body, loop.name, ir::Var{name, from.type()}), names_);
    into.push_back({For{name, from, to, loop.step, std::move(body)}});
  }

  ir::Definitions definitions_;
  ir::Varying varying_;
  ir::Strides strides_;
  std::uint8_t dim_;
  Expr last_;
  Expr first_;
  ir::Names& names_;
};

}  // namespace

Block with_common_ranges(const Block& body, const Lanes::Options& options, ir::Names& names) {
  return RangeSplitter(body, options, names).block(body);
}

}  // namespace vyre::schedule
