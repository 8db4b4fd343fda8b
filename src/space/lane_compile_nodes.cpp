// Which instructions each kind of node becomes.
#include <algorithm>

#include "space/lane_compiler.h"

namespace vyre::space {
namespace {

// a > b is b < a.
struct Turned {
  LaneOp op;
  bool swap;
};
Turned turned(Relation relation) {
  switch (relation) {
    case Relation::lt:
      return {LaneOp::lt, false};
    case Relation::le:
      return {LaneOp::le, false};
    case Relation::gt:
      return {LaneOp::lt, true};
    case Relation::ge:
      return {LaneOp::le, true};
    case Relation::ne:
      return {LaneOp::ne, false};
    default:
      return {LaneOp::eq, false};
  }
}

Register truth_register() { return {.is_bool = true, .lowest = 0, .highest = 1}; }

}  // namespace

LaneCompiler::Made LaneCompiler::value(NodeId id) {
  const Node& node = syntax_[id];
  if (is_constant(id)) {
    const auto datum = folded(id);
    return datum ? constant(*datum) : std::nullopt;
  }
  switch (node.op) {
    case Op::parameter:
      return parameter(node.slot);
    case Op::comparison:
      return comparison(node);
    case Op::choice:
      return choice(node);
    case Op::call:
      return call(node);
    case Op::negation: {
      const Made inner = truth(node.children[0]);
      if (!inner) return inner;
      return emit(truth_register(), {.op = LaneOp::falsehood, .a = *inner, .b = *inner});
    }
    case Op::all_of:
    case Op::any_of: {
      // As a value it is one of its operands, which is their truth only if they are truth values.
      for (const NodeId child : node.children) {
        const Op op = syntax_[child].op;
        if (op != Op::comparison && op != Op::negation) return std::nullopt;
      }
      return logic(node);
    }
    case Op::minus:
    case Op::plus: {
      const Made inner = value(node.children[0]);
      if (!inner || node.op == Op::plus) return inner;
      return unary(LaneOp::negate, *inner);
    }
    case Op::add:
      return binary_node(LaneOp::add, node);
    case Op::subtract:
      return binary_node(LaneOp::subtract, node);
    case Op::multiply:
      return binary_node(LaneOp::multiply, node);
    case Op::divide:
      return binary_node(LaneOp::divide, node);
    case Op::floor_divide:
      return binary_node(LaneOp::floor_divide, node);
    case Op::modulo:
      return binary_node(LaneOp::modulo, node);
    case Op::power:
      return binary_node(LaneOp::power, node);
    default:
      return std::nullopt;
  }
}

LaneCompiler::Made LaneCompiler::binary_node(LaneOp op, const Node& node) {
  const Made left = value(node.children[0]);
  const Made right = left ? value(node.children[1]) : left;
  return right ? binary(op, *left, *right) : right;
}

LaneCompiler::Made LaneCompiler::truth(NodeId id) {
  const Node& node = syntax_[id];
  if (!is_constant(id) && (node.op == Op::all_of || node.op == Op::any_of)) return logic(node);
  if (is_constant(id)) {
    const auto datum = folded(id);
    return datum ? constant(Datum{vyre::space::truth(*datum)}) : std::nullopt;
  }
  const Made made = value(id);
  return made ? to_truth(*made) : made;
}

LaneCompiler::Made LaneCompiler::logic(const Node& node) {
  Made so_far = truth(node.children[0]);
  for (std::size_t i = 1; so_far && i < node.children.size(); ++i) {
    const Made next = truth(node.children[i]);
    if (!next) return next;
    const LaneOp op = node.op == Op::all_of ? LaneOp::both : LaneOp::either;
    so_far = emit(truth_register(), {.op = op, .a = *so_far, .b = *next});
  }
  return so_far;
}

LaneCompiler::Made LaneCompiler::comparison(const Node& node) {
  Made left = value(node.children[0]);
  Made so_far;
  for (std::size_t i = 0; left && i < node.relations.size(); ++i) {
    const Relation relation = node.relations[i];
    const bool is_membership = relation == Relation::in || relation == Relation::not_in;
    if (is_membership && i + 1 < node.relations.size()) return std::nullopt;
    const NodeId other = node.children[i + 1];
    const Made right = is_membership ? Made{} : value(other);
    if (!is_membership && !right) return std::nullopt;
    const Made link = is_membership
                          ? member(relation, *left, other)
                          : compared(turned(relation).op, turned(relation).swap ? *right : *left,
                                     turned(relation).swap ? *left : *right);
    if (!link) return std::nullopt;
    so_far = so_far ? emit(truth_register(), {.op = LaneOp::both, .a = *so_far, .b = *link}) : link;
    left = right;
  }
  return so_far;
}

LaneCompiler::Made LaneCompiler::compared(LaneOp op, RegisterId left, RegisterId right) {
  const bool equality = op == LaneOp::eq || op == LaneOp::ne;
  const bool one_text = (at(left).type == LaneType::text) != (at(right).type == LaneType::text);
  if (one_text || (at(left).type == LaneType::text && !equality)) return std::nullopt;
  if (at(left).type != at(right).type) {
    const Made a = to_real(left);
    const Made b = to_real(right);
    if (!a || !b) return std::nullopt;
    return emit(truth_register(), {.op = op, .a = *a, .b = *b});
  }
  return emit(truth_register(), {.op = op, .a = left, .b = right});
}

// Equal to one of the items of a list that is written out or can be computed beforehand.
LaneCompiler::Made LaneCompiler::member(Relation relation, RegisterId left, NodeId list) {
  std::vector<RegisterId> items;
  const Node& node = syntax_[list];
  if (const auto whole = folded(list)) {
    const auto* sequence = std::get_if<Sequence>(&whole->of);
    if (sequence == nullptr || sequence->items->size() > max_members) return std::nullopt;
    for (const Datum& item : *sequence->items) {
      const Made made = constant(item);
      if (!made) return made;
      items.push_back(*made);
    }
  } else if (node.op == Op::list || node.op == Op::tuple) {
    for (const NodeId child : node.children) {
      const Made made = value(child);
      if (!made) return made;
      items.push_back(*made);
    }
  } else {
    return std::nullopt;
  }
  Made found = constant(Datum{false});
  for (const RegisterId item : items) {
    if (at(item).may_fault) return std::nullopt;
    const Made same = compared(LaneOp::eq, left, item);
    if (!same) return same;
    found = emit(truth_register(), {.op = LaneOp::either, .a = *found, .b = *same});
  }
  if (relation == Relation::in) return found;
  return emit(truth_register(), {.op = LaneOp::falsehood, .a = *found, .b = *found});
}

LaneCompiler::Made LaneCompiler::choice(const Node& node) {
  const Made condition = truth(node.children[0]);
  const Made yes = condition ? value(node.children[1]) : condition;
  const Made no = yes ? value(node.children[2]) : yes;
  if (!no || at(*yes).type != at(*no).type) return std::nullopt;
  Register made{.type = at(*yes).type,
                .is_bool = at(*yes).is_bool && at(*no).is_bool,
                .lowest = std::min(at(*yes).lowest, at(*no).lowest),
                .highest = std::max(at(*yes).highest, at(*no).highest)};
  return emit(std::move(made), {.op = LaneOp::select, .a = *yes, .b = *no, .c = *condition});
}

// min, max and abs of numbers of one type.
LaneCompiler::Made LaneCompiler::call(const Node& node) {
  if (node.function == Function::abs) {
    const Made inner = value(node.children[0]);
    return inner ? unary(LaneOp::absolute, *inner) : inner;
  }
  const bool is_min = node.function == Function::min;
  if ((!is_min && node.function != Function::max) || node.children.size() < 2) return std::nullopt;
  Made best = value(node.children[0]);
  for (std::size_t i = 1; best && i < node.children.size(); ++i) {
    const Made next = value(node.children[i]);
    if (!next || at(*best).type != at(*next).type || at(*next).type == LaneType::text) {
      return std::nullopt;
    }
    const auto choose = [&](std::int64_t a, std::int64_t b) {
      return is_min ? std::min(a, b) : std::max(a, b);
    };
    Register made{.type = at(*best).type,
                  .lowest = choose(at(*best).lowest, at(*next).lowest),
                  .highest = choose(at(*best).highest, at(*next).highest)};
    const LaneOp op = is_min ? LaneOp::least : LaneOp::greatest;
    best = emit(std::move(made), {.op = op, .a = *best, .b = *next, .checked = false});
  }
  return best;
}

}  // namespace vyre::space
