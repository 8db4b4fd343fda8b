#include "schedule/lanes.h"

#include <algorithm>

#include "base/check.h"
#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/long_records.h"

namespace vyre::schedule {

using ir::Binary;
using ir::BinaryOp;
using ir::Expr;

ir::NameSet names_of(const std::vector<ir::Buffer>& buffers) {
  ir::NameSet names;
  for (const ir::Buffer& buffer : buffers) names.insert(buffer.name);
  return names;
}

ir::NameSet names_of(const Counters& counters) {
  ir::NameSet names;
  for (const auto& [name, begin] : counters) names.insert(name);
  return names;
}

namespace {

ir::Varying varying_along(const ir::Block& body, const Lanes::Options& options) {
  if (!options.loop) {
    return {body, options.dim, names_of(options.private_buffers), names_of(options.counters)};
  }
  ir::NameSet seeds = {options.loop->name};
  for (const ir::Var& carried : options.carried) seeds.insert(carried.name);
  return {body, std::move(seeds)};
}

ir::Strides strides_along(const ir::Block& body, const ir::Varying& varying,
                          const Lanes::Options& options) {
  if (!options.loop) return {body, varying};
  return {body, varying, *options.loop};
}

ir::NameSet accessed_by_vectors(const ir::Block& body) {
  ir::NameSet names;
  for_each_expr(body, [&](const Expr& e) {
    const auto* load = ir::as<ir::Load>(e);
    if (load != nullptr && load->lanes > 1) names.insert(load->buffer);
  });
  for_each_stmt(body, [&](const ir::Stmt& stmt) {
    const auto* store = ir::as<ir::Store>(stmt);
    if (store != nullptr && store->value.type().lanes > 1) names.insert(store->buffer);
  });
  return names;
}

}  // namespace

Lanes::Lanes(const ir::Block& body, Options options)
    : options_(std::move(options)),
      constants_(names_of(options_.constant_buffers)),
      varying_(varying_along(body, options_)),
      strides_(strides_along(body, varying_, options_)),
      mutable_(mutable_names(body)) {
  if (options_.loop) hold(options_.loop->name, {Form::strided, options_.loop->type});
  for (const ir::Var& carried : options_.carried) hold(carried.name, {Form::vector, carried.type});
  hold_private_buffers(body);
}

// An item's own vectors must stay in one piece.
void Lanes::hold_private_buffers(const ir::Block& body) {
  const ir::NameSet in_pieces = accessed_by_vectors(body);
  for (const ir::Buffer& buffer : options_.private_buffers) {
    const bool interleaved = options_.vectors && !in_pieces.contains(buffer.name);
    const Form own = interleaved ? Form::vector : Form::copies;
    buffers_[buffer.name] = {varying_.varies(buffer.name) ? own : Form::uniform, buffer.count};
  }
}

Form Lanes::form_of(const ir::Let& let) const {
  if (!varying_.varies(let.name)) return Form::uniform;
  if (!let.is_mutable && strides_.of_name(let.name)) return Form::strided;
  return options_.vectors && let.value.type().lanes == 1 ? Form::vector : Form::copies;
}

const LaneValue& Lanes::value_of(const std::string& name) const {
  static const LaneValue uniform;
  const auto found = values_.find(name);
  return found == values_.end() ? uniform : found->second;
}

std::optional<Form> Lanes::form_of_buffer(const std::string& buffer) const {
  const auto found = buffers_.find(buffer);
  return found == buffers_.end() ? std::nullopt : std::optional(found->second.form);
}

std::optional<Expr> Lanes::vector_index(const std::string& buffer, const Expr& index) const {
  const Form form = form_of_buffer(buffer).value_or(Form::uniform);
  if (form == Form::copies) return std::nullopt;
  if (form == Form::vector) {
    if (varying_.varies(index)) return std::nullopt;
    return times(item(index, 0U), ir::literal(options_.width));
  }
  return strides_.is(index, 1) ? std::optional(item(index, 0U)) : std::nullopt;
}

std::optional<std::uint32_t> Lanes::gap(const Expr& index) const {
  const auto stride = options_.vectors ? strides_.of(index) : std::nullopt;
  const auto known = stride ? literal_bits(*stride) : std::nullopt;
  const bool fits =
      known && (is_gap(*known, options_.width) || is_long_record(*known, options_.width));
  return fits ? known : std::nullopt;
}

const Expr* Lanes::constant_count(const std::string& buffer) const {
  const auto found = std::ranges::find(options_.constant_buffers, buffer, &ir::Buffer::name);
  return found == options_.constant_buffers.end() ? nullptr : &found->count;
}

Expr Lanes::place(const std::string& buffer, const Expr& index, const Expr& l) const {
  const Form form = form_of_buffer(buffer).value_or(Form::uniform);
  if (form == Form::uniform) return index;
  if (form == Form::vector) return plus(times(index, ir::literal(options_.width)), l);
  return plus(index, times(l, buffers_.at(buffer).count));
}

Expr Lanes::places(const std::string& buffer, const Expr& indices) const {
  const Form form = form_of_buffer(buffer).value_or(Form::uniform);
  if (form == Form::uniform) return indices;
  const auto width = static_cast<std::uint8_t>(options_.width);
  const auto scaled = [&](const Expr& of, const Expr& by) {
    return Binary{BinaryOp::mul, of, ir::Splat{width, by}};
  };
  ir::Vector items;
  for (std::uint32_t l = 0; l < width; ++l) items.lanes.push_back(ir::literal(l));
  if (form == Form::vector) {
    return Binary{BinaryOp::add, scaled(indices, ir::literal(options_.width)), items};
  }
  return Binary{BinaryOp::add, indices, scaled(items, buffers_.at(buffer).count)};
}

// A let may be replaced by its value where that is the same at any later time.
void Lanes::define(const ir::Let& let) {
  const bool changes = let.is_mutable || has_load(let.value) || mentions(let.value, mutable_);
  if (!changes) definitions_.emplace(let.name, let.value);
}

ir::Replace Lanes::replacement(const Expr& l) const {
  using Found = std::optional<Expr>;
  return [this, l](const Expr& e) {
    return match(
        e,
        [&](const ir::Id&) -> Found {
          const bool own = is_item_number(e);
          return own ? Found(plus(options_.first, l)) : std::nullopt;
        },
        [&](const ir::Var& var) { return item_of_name(e, var, l); },
        [&](const ir::Load& n) -> Found {
          if (!form_of_buffer(n.buffer)) return std::nullopt;
          return ir::Load{n.buffer, n.element, place(n.buffer, item(n.index, l), l), n.lanes};
        },
        [](const ir::OneOf<Literal, ir::Unary, Binary, ir::Fma, ir::Select, ir::Convert,
                           ir::Bitcast, ir::Splat, ir::Vector, ir::Lane, ir::Reduce> auto&)
            -> Found { return std::nullopt; });
  };
}

// Nothing where it is the same for all items.
std::optional<Expr> Lanes::item_of_name(const Expr& e, const ir::Var& var, const Expr& l) const {
  const Form form = value_of(var.name).form;
  if (form == Form::uniform) return std::nullopt;
  const Scalar scalar = var.type.scalar;
  const auto lane = literal_bits(l);
  if (form == Form::strided) {
    const Expr count = lane                    ? ir::integer(*lane, scalar)
                       : scalar == Scalar::u32 ? l
                                               : Expr(ir::Convert{scalar, l});
    return plus(e, times(count, *strides_.of_name(var.name)));
  }
  if (form == Form::array) {
    const Expr at = times(l, ir::literal(std::uint32_t{var.type.lanes}));
    return ir::Load{value_of(var.name).copies.front(), scalar, at, var.type.lanes};
  }
  check(lane.has_value(), "an item held in a vector or in copies is known by number");
  if (form == Form::copies) return ir::Var{value_of(var.name).copies[*lane], var.type};
  const ir::Type wide = {scalar, static_cast<std::uint8_t>(options_.width)};
  return ir::Lane{ir::Var{var.name, wide}, static_cast<std::uint8_t>(*lane)};
}

Expr Lanes::item(const Expr& expr, const Expr& l) const { return replaced(expr, replacement(l)); }
Expr Lanes::item(const Expr& expr, std::uint32_t l) const { return item(expr, ir::literal(l)); }
ir::Stmt Lanes::item(const ir::Stmt& stmt, const Expr& l) const {
  ir::Block made =
      ir::map_stmts({replaced(stmt, replacement(l))}, [&](ir::Stmt inner, ir::Block& into) {
        if (auto* store = ir::as<ir::Store>(inner)) {
          store->index = place(store->buffer, store->index, l);
        }
        into.push_back(std::move(inner));
      });
  return std::move(made.front());
}

Expr Lanes::wide(const Expr& expr) const {
  return wide(expr, [&](const ir::Load& n) {
    const auto first = vector_index(n.buffer, n.index);
    const auto width = static_cast<std::uint8_t>(options_.width);
    return first ? ir::Load{n.buffer, n.element, *first, width} : gathered(n);
  });
}

Expr Lanes::wide(const Expr& expr, const Gather& gather) const {
  const auto width = static_cast<std::uint8_t>(options_.width);
  if (!varying_.varies(expr)) return ir::Splat{width, item(expr, 0U)};
  if (const auto stride = strides_.of(expr)) return ramp(expr, *stride);
  return match(
      expr,
      [&](const ir::Var& n) -> Expr {
        if (value_of(n.name).form == Form::copies) return gathered(expr);
        return ir::Var{n.name, {n.type.scalar, width}};
      },
      [&](const ir::Load& n) -> Expr { return gather(n); },
      // They look into a vector.
      [&](const ir::OneOf<ir::Lane, ir::Reduce> auto&) { return gathered(expr); },
      // All operations on scalars work lane by lane on vectors.
      [&](const ir::OneOf<Literal, ir::Id, ir::Unary, Binary, ir::Fma, ir::Select, ir::Convert,
                          ir::Bitcast, ir::Splat, ir::Vector> auto&) {
        return ir::with_operands(expr, [&](const Expr& e) { return wide(e, gather); });
      });
}

// first, first + stride, first + 2 * stride, ...
Expr Lanes::ramp(const Expr& expr, const Expr& stride) const {
  const auto width = static_cast<std::uint8_t>(options_.width);
  const Scalar scalar = expr.type().scalar;
  const auto known = literal_bits(stride);
  ir::Vector steps;
  for (std::uint32_t l = 0; l < width; ++l) {
    steps.lanes.push_back(ir::integer(l * known.value_or(1), scalar));
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

bool Lanes::is_item_number(const Expr& expr) const {
  if (options_.loop) return expr == Expr(*options_.loop);
  return expr == Expr(ir::Id{ir::IdKind::invocation, options_.dim});
}

bool Lanes::is_own_id(const Expr& expr) const {
  const auto* var = ir::as<ir::Var>(expr);
  if (var == nullptr || is_item_number(expr)) return is_item_number(expr);
  const auto found = definitions_.find(var->name);
  return found != definitions_.end() && is_own_id(found->second);
}

Expr Lanes::each(const Expr& cond) const {
  Expr made = item(cond, 0U);
  for (std::uint32_t l = 1; l < options_.width; ++l) made = both(made, item(cond, l));
  return made;
}

bool Lanes::is_by_place(const Expr& cond) const {
  if (!varying_.varies(cond)) return true;
  return match(
      cond,
      [&](const ir::Var& n) {
        const auto found = definitions_.find(n.name);
        return found != definitions_.end() && is_by_place(found->second);
      },
      [&](const ir::Unary& n) { return is_by_place(n.arg); },
      [&](const Binary& n) {
        if (is_comparison(n.op)) return !is_scattered(n.left) && !is_scattered(n.right);
        return is_by_place(n.left) && is_by_place(n.right);
      },
      [](const ir::OneOf<Literal, ir::Id, ir::Load, ir::Fma, ir::Select, ir::Convert, ir::Bitcast,
                         ir::Splat, ir::Vector, ir::Lane, ir::Reduce> auto&) { return false; });
}

bool Lanes::is_by_place(const ir::For& loop) const {
  return !is_scattered(loop.begin) && !is_scattered(loop.end) && is_literal(loop.step, 1);
}

// Looked through only so far: names used twice in each of many lets would make it long.
Expr Lanes::all(const Expr& cond, int lets) const {
  if (!varying_.varies(cond)) return item(cond, 0U);
  return match(
      cond,
      [&](const ir::Var& n) {
        const auto found = definitions_.find(n.name);
        const bool opaque = found == definitions_.end() || lets == 0;
        return opaque ? each(cond) : all(found->second, lets - 1);
      },
      [&](const Binary& n) {
        if (n.op == BinaryOp::bit_and) return both(all(n.left, lets), all(n.right, lets));
        return all_compared(cond, n);
      },
      [&](const ir::OneOf<Literal, ir::Id, ir::Load, ir::Unary, ir::Fma, ir::Select, ir::Convert,
                          ir::Bitcast, ir::Splat, ir::Vector, ir::Lane, ir::Reduce> auto&) {
        return each(cond);
      });
}

// A side that grows by a small stride is least for the first item and greatest for the last, unless
// it wraps between them: then it is smaller for the last. So one test, and one that it does not
// wrap, stand for all. The invocation's own id never wraps.
Expr Lanes::all_compared(const Expr& cond, const Binary& node) const {
  using enum BinaryOp;
  const bool left_varies = varying_.varies(node.left);
  if (left_varies && varying_.varies(node.right)) return all_in_step(cond, node);
  const Expr& growing = left_varies ? node.left : node.right;
  const bool ordered = node.op == lt || node.op == le || node.op == gt || node.op == ge;
  if (!small_stride(growing) || !(ordered || node.op == ne)) return each(cond);
  const std::uint32_t last = options_.width - 1;
  const bool bounds_last = (node.op == lt || node.op == le) == left_varies;
  Expr test = ordered ? item(cond, bounds_last ? last : 0U)
                      : outside(growing, left_varies ? node.right : node.left);
  return both(does_not_wrap(growing), test);
}

// Sides that grow alike stay as far apart as the first item's, as long as neither wraps; whether
// they are equal does not even depend on that.
Expr Lanes::all_in_step(const Expr& cond, const Binary& node) const {
  using enum BinaryOp;
  const auto step = small_stride(node.left);
  if (!step || step != small_stride(node.right)) return each(cond);
  if (node.op == eq || node.op == ne) return item(cond, 0U);
  const bool ordered = node.op == lt || node.op == le || node.op == gt || node.op == ge;
  if (!ordered) return each(cond);
  return both(both(does_not_wrap(node.left), does_not_wrap(node.right)), item(cond, 0U));
}

std::optional<std::uint32_t> Lanes::small_stride(const Expr& growing) const {
  constexpr std::uint32_t small = 1U << 16U;
  const auto stride = strides_.of(growing);
  const auto step = stride ? literal_bits(*stride) : std::nullopt;
  return step && *step > 0 && *step <= small ? step : std::nullopt;
}

// Between the items, whose stride is small.
Expr Lanes::does_not_wrap(const Expr& growing) const {
  if (is_own_id(growing)) return ir::literal(true);
  return compared(BinaryOp::le, item(growing, 0U), item(growing, options_.width - 1));
}

// Stricter than that no item equals the value, which may lie between two of them.
Expr Lanes::outside(const Expr& growing, const Expr& value) const {
  const Expr fixed = item(value, 0U);
  return Binary{BinaryOp::bit_or, compared(BinaryOp::gt, item(growing, 0U), fixed),
                compared(BinaryOp::lt, item(growing, options_.width - 1), fixed)};
}

}  // namespace vyre::schedule
