#include "schedule/lanes.h"

#include <algorithm>

#include "base/check.h"
#include "ir/rewrite.h"
#include "schedule/fold.h"
#include "schedule/names.h"
#include "schedule/rewrite.h"

namespace vyre::schedule {

using ir::Binary;
using ir::BinaryOp;
using ir::Expr;

Lanes::Lanes(const ir::Block& body, Options options)
    : options_(std::move(options)),
      varying_(body, options_.dim),
      strides_(body, varying_),
      mutable_(mutable_names(body)) {}

Form Lanes::form_of(const ir::Let& let) const {
  if (!varying_.varies(let.name)) return Form::uniform;
  if (!let.is_mutable && strides_.of_name(let.name)) return Form::strided;
  return options_.vectors && let.value.type().lanes == 1 ? Form::vector : Form::copies;
}

const Held& Lanes::held(const std::string& name) const {
  static const Held uniform;
  const auto found = held_.find(name);
  return found == held_.end() ? uniform : found->second;
}

// A let may be replaced by its value where that is the same at any later time.
void Lanes::define(const ir::Let& let) {
  const bool changes =
      let.is_mutable || any_of(let.value, [&](const Expr& e) {
        const auto* var = get_if<ir::Var>(e);
        return get_if<ir::Load>(e) != nullptr || (var != nullptr && mutable_.contains(var->name));
      });
  if (!changes) definitions_.emplace(let.name, let.value);
}

Replace Lanes::replacement(const Expr& l) const {
  return [this, l](const Expr& e) -> std::optional<Expr> {
    if (const auto* id = get_if<ir::Id>(e)) {
      const bool own = id->kind == ir::IdKind::invocation && id->dim == options_.dim;
      return own ? std::optional(plus(options_.first, l)) : std::nullopt;
    }
    const auto* var = get_if<ir::Var>(e);
    if (var == nullptr) return std::nullopt;
    const Held& how = held(var->name);
    const auto lane = literal_bits(l);
    if (how.form == Form::strided) {
      const Scalar scalar = var->type.scalar;
      const Expr count = lane                    ? integer(*lane, scalar)
                         : scalar == Scalar::u32 ? l
                                                 : Expr(ir::Convert{scalar, l});
      return plus(e, times(count, *strides_.of_name(var->name)));
    }
    if (how.form == Form::uniform) return std::nullopt;
    check(lane.has_value(), "an item held in a vector or in copies is known by number");
    if (how.form == Form::copies) return ir::Var{how.copies[*lane], var->type};
    const ir::Type wide = {var->type.scalar, static_cast<std::uint8_t>(options_.width)};
    return ir::Lane{ir::Var{var->name, wide}, static_cast<std::uint8_t>(*lane)};
  };
}

Expr Lanes::item(const Expr& expr, const Expr& l) const { return replaced(expr, replacement(l)); }
Expr Lanes::item(const Expr& expr, std::uint32_t l) const { return item(expr, ir::literal(l)); }
ir::Stmt Lanes::item(const ir::Stmt& stmt, const Expr& l) const {
  return replaced(stmt, replacement(l));
}

Expr Lanes::wide(const Expr& expr) const {
  const auto width = static_cast<std::uint8_t>(options_.width);
  if (!varying_.varies(expr)) return ir::Splat{width, item(expr, 0U)};
  if (const auto stride = strides_.of(expr)) return ramp(expr, *stride);
  if (const auto* var = get_if<ir::Var>(expr); var != nullptr) {
    if (held(var->name).form == Form::copies) return gathered(expr);
    return ir::Var{var->name, {var->type.scalar, width}};
  }
  if (const auto* load = get_if<ir::Load>(expr)) {
    if (!is_contiguous(load->index)) return gathered(expr);
    return ir::Load{load->buffer, load->element, item(load->index, 0U), width};
  }
  return lanewise(expr);
}

// first, first + stride, first + 2 * stride, ...
Expr Lanes::ramp(const Expr& expr, const Expr& stride) const {
  const auto width = static_cast<std::uint8_t>(options_.width);
  const Scalar scalar = expr.type().scalar;
  const auto known = literal_bits(stride);
  ir::Vector steps;
  for (std::uint32_t l = 0; l < width; ++l) {
    steps.lanes.push_back(integer(l * known.value_or(1), scalar));
  }
  Expr apart = std::move(steps);
  if (!known) apart = Binary{BinaryOp::mul, apart, ir::Splat{width, stride}};
  return Binary{BinaryOp::add, ir::Splat{width, item(expr, 0U)}, apart};
}

Expr Lanes::gathered(const Expr& expr) const {
  ir::Vector made;
  for (std::uint32_t l = 0; l < options_.width; ++l) made.lanes.push_back(item(expr, l));
  return made;
}

// All operations on scalars work lane by lane on vectors; what looks into a vector does not.
Expr Lanes::lanewise(const Expr& expr) const {
  if (get_if<ir::Lane>(expr) != nullptr) return gathered(expr);
  return ir::with_operands(expr, [&](const Expr& e) { return wide(e); });
}

bool Lanes::is_own_id(const Expr& expr) const {
  if (const auto* var = get_if<ir::Var>(expr)) {
    const auto found = definitions_.find(var->name);
    return found != definitions_.end() && is_own_id(found->second);
  }
  const auto* id = get_if<ir::Id>(expr);
  return id != nullptr && id->kind == ir::IdKind::invocation && id->dim == options_.dim;
}

Expr Lanes::each(const Expr& cond) const {
  Expr made = item(cond, 0U);
  for (std::uint32_t l = 1; l < options_.width; ++l) made = both(made, item(cond, l));
  return made;
}

// Looked through only so far: names used twice in each of many lets would make it long.
Expr Lanes::all(const Expr& cond, int lets) const {
  if (!varying_.varies(cond)) return item(cond, 0U);
  if (const auto* var = get_if<ir::Var>(cond)) {
    const auto found = definitions_.find(var->name);
    const bool opaque = found == definitions_.end() || lets == 0;
    return opaque ? each(cond) : all(found->second, lets - 1);
  }
  const auto* node = get_if<Binary>(cond);
  if (node == nullptr) return each(cond);
  if (node->op == BinaryOp::bit_and) return both(all(node->left, lets), all(node->right, lets));
  return all_compared(cond, *node);
}

// A side that grows by a small stride is least for the first item and greatest for the last, unless
// it wraps between them: then it is smaller for the last. So one test, and one that it does not
// wrap, stand for all. The invocation's own id never wraps.
Expr Lanes::all_compared(const Expr& cond, const Binary& node) const {
  using enum BinaryOp;
  constexpr std::uint32_t small = 1U << 16U;
  const bool left_varies = varying_.varies(node.left);
  if (left_varies == varying_.varies(node.right)) return each(cond);
  const Expr& growing = left_varies ? node.left : node.right;
  const auto stride = strides_.of(growing);
  const auto step = stride ? literal_bits(*stride) : std::nullopt;
  const bool ordered = node.op == lt || node.op == le || node.op == gt || node.op == ge;
  if (!ordered || !step || *step == 0 || *step > small) return each(cond);
  const std::uint32_t last = options_.width - 1;
  const bool bounds_last = (node.op == lt || node.op == le) == left_varies;
  Expr test = item(cond, bounds_last ? last : 0U);
  if (is_own_id(growing)) return test;
  return both(compared(le, item(growing, 0U), item(growing, last)), test);
}

}  // namespace vyre::schedule
