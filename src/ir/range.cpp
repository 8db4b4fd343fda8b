#include "ir/range.h"

#include <optional>

#include "ir/names.h"
#include "ir/visit.h"

namespace vyre::ir {
namespace {

// Ids share the table with names; the dot keeps them apart.
std::string key_of(Id id) {
  return std::to_string(static_cast<int>(id.kind)) + "." + std::to_string(id.dim);
}

std::optional<std::string> key_of(const Expr& expr) {
  using Key = std::optional<std::string>;
  return match(
      expr, [](const Var& n) -> Key { return n.name; },
      [](const Id& n) -> Key { return key_of(n); },
      [](const OneOf<Literal, Load, Unary, Binary, Fma, Select, Convert, Bitcast, Splat, Vector,
                     Lane, Reduce> auto&) -> Key { return std::nullopt; });
}

// What is converted from one integer to the other, or taken as one.
std::optional<Expr> other_integer(const Expr& expr) {
  const auto* convert = as<Convert>(expr);
  const auto* cast = as<Bitcast>(expr);
  if (convert == nullptr && cast == nullptr) return std::nullopt;
  const Expr& arg = convert != nullptr ? convert->arg : cast->arg;
  const bool integers = is_word(expr.type().scalar) && is_word(arg.type().scalar);
  return integers ? std::optional(arg) : std::nullopt;
}

Interval literal_value(const Literal& n) {
  const auto bits = static_cast<std::uint32_t>(n.bits);
  if (n.scalar == Scalar::i32)
    return {static_cast<std::int32_t>(bits), static_cast<std::int32_t>(bits)};
  if (n.scalar == Scalar::u32 || n.scalar == Scalar::boolean) return {bits, bits};
  return full_range(n.scalar);
}

bool counts_bits(const Expr& expr) {
  const auto* n = as<Unary>(expr);
  return n != nullptr && (n->op == UnaryOp::popcount || n->op == UnaryOp::clz);
}

// Counts of bits are small, also those of types whose values are not followed.
bool is_known(const Expr& expr) { return is_followed(expr.type().scalar) || counts_bits(expr); }

std::set<std::string> keys_in(const Expr& expr) {
  std::set<std::string> keys;
  for_each_expr(expr, [&](const Expr& e) {
    if (auto key = key_of(e)) keys.insert(*std::move(key));
  });
  return keys;
}

}  // namespace

void Ranges::know(const std::string& name, Interval values) {
  undefine(name);
  set(name, values);
}

void Ranges::know(Id id, Interval values) { set(key_of(id), values); }

void Ranges::pass(const Let& let) {
  const Scalar scalar = let.value.type().scalar;
  undefine(let.name);
  if (is_followed(scalar)) set(let.name, of(let.value));
  if (let.is_mutable) {
    mutable_.insert(let.name);
  } else if (let.value.type().lanes == 1 && is_followed(scalar) && !mentions(let.value, mutable_)) {
    define(let);
  }
}

void Ranges::pass(const Assign& assign) {
  const Scalar scalar = assign.value.type().scalar;
  if (is_followed(scalar)) set(assign.name, of(assign.value));
}

void Ranges::define(const Let& let) {
  const std::size_t index = definitions_.size();
  definitions_.push_back({let.name, let.value});
  defined_[let.name] = index;
  for (const std::string& key : keys_in(let.value)) users_[key].insert(index);
}

// A name may come again in another block, for something else.
void Ranges::undefine(const std::string& name) {
  defined_.erase(name);
  users_.erase(name);
  mutable_.erase(name);
}

const Ranges::Definition* Ranges::definition(const std::string& name) const {
  const auto found = defined_.find(name);
  return found == defined_.end() ? nullptr : &definitions_[found->second];
}

void Ranges::assume(const Expr& cond, bool holds) {
  match(
      cond,
      [&](const Var& n) {
        if (const Definition* let = definition(n.name)) assume(Expr(let->value), holds);
      },
      [&](const Unary& n) {
        if (n.op == UnaryOp::bit_not) assume(n.arg, !holds);
      },
      [&](const Binary& n) { assume_binary(n, holds); },
      [](const OneOf<Literal, Id, Load, Fma, Select, Convert, Bitcast, Splat, Vector, Lane,
                     Reduce> auto&) {});
}

void Ranges::assume_binary(const Binary& node, bool holds) {
  const Type operands = node.left.type();
  if (node.op == (holds ? BinaryOp::bit_and : BinaryOp::bit_or)) {
    assume(node.left, holds);
    assume(node.right, holds);
  } else if (is_comparison(node.op) && operands.lanes == 1 && is_word(operands.scalar)) {
    assume_compared(node, holds);
  }
}

void Ranges::assume_compared(const Binary& node, bool holds) {
  const BinaryOp op = holds ? node.op : negated(node.op);
  const Interval left = of(node.left);
  const Interval right = of(node.right);
  narrow(node.left, op == BinaryOp::ne ? without(left, right) : satisfying(op, right));
  narrow(node.right, op == BinaryOp::ne ? without(right, left) : satisfying(swapped(op), left));
}

// Learns that the expression's value lies in `to`, through sums and products with constants, and
// through conversions between u32 and i32 of what both can hold.
void Ranges::narrow(const Expr& expr, Interval to) {
  if (const auto key = key_of(expr)) {
    const Interval was = of(expr);
    const Interval now = meet(was, to);
    if (now == was) return;
    set(*key, now);
    narrow_dependents(*key);
  } else if (const auto* n = as<Binary>(expr); n != nullptr && !may_wrap(expr)) {
    narrow_operand(*n, to);
  } else if (const auto arg = other_integer(expr)) {
    const Interval values = of(*arg);
    if (values.lo >= 0 && values.hi <= full_range(Scalar::i32).hi) narrow(*arg, to);
  }
}

void Ranges::narrow_operand(const Binary& node, Interval to) {
  to = meet(apply(node.op, node.left.type().scalar, of(node.left), of(node.right)), to);
  const bool right_known = of(node.right).is_one_value();
  const Expr& open = right_known ? node.left : node.right;
  const Interval constant = of(right_known ? node.right : node.left);
  if (!constant.is_one_value()) return;
  const std::int64_t c = constant.lo;
  if (node.op == BinaryOp::add) {
    narrow(open, {to.lo - c, to.hi - c});
  } else if (node.op == BinaryOp::sub && right_known) {
    narrow(open, {to.lo + c, to.hi + c});
  } else if (node.op == BinaryOp::mul && c > 0 && to.lo >= 0) {
    narrow(open, {(to.lo + c - 1) / c, to.hi / c});
  }
}

// In the order of declaration, so that each let is looked at once, after all that it uses.
void Ranges::narrow_dependents(const std::string& key) {
  const auto users_of = [&](const std::string& name) {
    const auto found = users_.find(name);
    return found == users_.end() ? std::set<std::size_t>() : found->second;
  };
  for (std::set<std::size_t> open = users_of(key); !open.empty();) {
    const std::size_t index = *open.begin();
    open.erase(open.begin());
    const Definition& let = definitions_[index];
    const auto current = defined_.find(let.name);
    const auto was = known_.find(let.name);
    if (current == defined_.end() || current->second != index || was == known_.end()) continue;
    const Interval now = meet(was->second, of(let.value));
    if (now == was->second) continue;
    set(let.name, now);
    open.merge(users_of(let.name));
  }
}

Interval Ranges::exact(const Expr& expr) const {
  const Scalar scalar = expr.type().scalar;
  return match(
      expr, [](const Literal& n) { return literal_value(n); },
      [&](const Var& n) { return get(n.name, scalar); },
      [&](const Id& n) { return get(key_of(n), scalar); },
      [](const Load& n) { return full_range(n.element); },
      [&](const Fma&) { return full_range(scalar); },
      [&](const Unary& n) {
        return is_known(expr) ? apply(n.op, scalar, of(n.arg)) : full_range(scalar);
      },
      [&](const Binary& n) {
        const Scalar of_operands = n.left.type().scalar;
        if (!is_followed(of_operands)) return full_range(scalar);
        return apply(n.op, of_operands, of(n.left), of(n.right));
      },
      [&](const Select& n) { return hull(of(n.yes), of(n.no)); },
      // Between integers the bits are kept, so only values that both types hold keep theirs.
      [&](const OneOf<Convert, Bitcast> auto& n) {
        return is_known(n.arg) ? wrapped(of(n.arg), scalar) : full_range(scalar);
      },
      [&](const Splat& n) { return of(n.arg); },
      [&](const Vector& n) {
        Interval all = of(n.lanes.front());
        for (const Expr& lane : n.lanes) all = hull(all, of(lane));
        return all;
      },
      [&](const Lane& n) { return of(n.vector); },
      [&](const Reduce& n) {
        if (!is_followed(scalar)) return full_range(scalar);
        const Interval lane = of(n.vector);
        const std::int64_t lanes = n.op == BinaryOp::add ? n.vector.type().lanes : 1;
        return Interval{lane.lo * lanes, lane.hi * lanes};
      });
}

Interval Ranges::of(const Expr& expr) const { return wrapped(exact(expr), expr.type().scalar); }

bool Ranges::may_wrap(const Expr& expr) const {
  const Scalar scalar = expr.type().scalar;
  return is_long(scalar) || !exact(expr).within(full_range(scalar));
}

void Ranges::set(const std::string& key, Interval values) {
  const auto [at, is_new] = known_.try_emplace(key, values);
  trail_.push_back({key, !is_new, at->second});
  at->second = values;
}

Interval Ranges::get(const std::string& key, Scalar scalar) const {
  const auto found = known_.find(key);
  return found == known_.end() ? full_range(scalar) : found->second;
}

Ranges::Changes Ranges::undo(std::size_t mark) {
  Changes changes;
  for (; trail_.size() > mark; trail_.pop_back()) {
    const TrailEntry& was = trail_.back();
    changes.try_emplace(was.key, known_.at(was.key));
    if (was.known) {
      known_.at(was.key) = was.values;
    } else {
      known_.erase(was.key);
    }
  }
  return changes;
}

void Ranges::join(const Changes& one, const Changes& other) {
  const auto value_in = [&](const Changes& changes, const std::string& key) {
    const auto found = changes.find(key);
    return found == changes.end() ? known_.at(key) : found->second;
  };
  Changes joined;
  for (const Changes* side : {&one, &other}) {
    for (const auto& [key, unused] : *side) {
      if (known_.contains(key))
        joined.try_emplace(key, hull(value_in(one, key), value_in(other, key)));
    }
  }
  for (const auto& [key, values] : joined) set(key, values);
}

}  // namespace vyre::ir
