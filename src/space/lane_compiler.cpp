#include "space/lane_compiler.h"

#include <algorithm>

#include "space/evaluator.h"

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

}  // namespace

std::optional<LaneProgram> LaneProgram::compile(
    const Syntax& syntax, std::span<const std::vector<Value>* const> parameters) {
  return LaneCompiler(syntax, parameters).program();
}

std::optional<LaneProgram> LaneCompiler::program() {
  const Made result = truth(syntax_.root());
  if (!result) return std::nullopt;
  return build_.finish(*result);
}

bool LaneCompiler::is_constant(NodeId id) {
  if (constant_[id]) return *constant_[id];
  const Node& node = syntax_[id];
  const auto is_fixed = [this](NodeId child) { return is_constant(child); };
  // A name that a comprehension binds is fixed as far as the whole comprehension is.
  const bool fixed = node.op != Op::parameter && std::ranges::all_of(node.children, is_fixed);
  constant_[id] = fixed;
  return fixed;
}

std::optional<Datum> LaneCompiler::folded(NodeId id) {
  if (!is_constant(id) || syntax_[id].op == Op::local) return std::nullopt;
  auto result = Evaluator(syntax_, {}).value(id);
  if (!result) return std::nullopt;
  return std::move(*result);
}

LaneCompiler::Made LaneCompiler::value(NodeId id) {
  const Node& node = syntax_[id];
  if (is_constant(id)) {
    const auto datum = folded(id);
    return datum ? build_.constant(*datum) : std::nullopt;
  }
  switch (node.op) {
    case Op::parameter:
      return build_.parameter(node.slot);
    case Op::comparison:
      return comparison(node);
    case Op::choice:
      return choice(node);
    case Op::call:
      return call(node);
    case Op::negation: {
      const Made inner = truth(node.children[0]);
      if (!inner) return inner;
      return build_.emit(bool_register(), {.op = LaneOp::falsehood, .a = *inner, .b = *inner});
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
      return build_.unary(LaneOp::negate, *inner);
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
  return right ? build_.binary(op, *left, *right) : right;
}

LaneCompiler::Made LaneCompiler::truth(NodeId id) {
  const Node& node = syntax_[id];
  if (!is_constant(id) && (node.op == Op::all_of || node.op == Op::any_of)) return logic(node);
  if (is_constant(id)) {
    const auto datum = folded(id);
    return datum ? build_.constant(Datum{vyre::space::truth(*datum)}) : std::nullopt;
  }
  const Made made = value(id);
  return made ? build_.to_truth(*made) : made;
}

LaneCompiler::Made LaneCompiler::logic(const Node& node) {
  Made so_far = truth(node.children[0]);
  for (std::size_t i = 1; so_far && i < node.children.size(); ++i) {
    const Made next = truth(node.children[i]);
    if (!next) return next;
    const LaneOp op = node.op == Op::all_of ? LaneOp::both : LaneOp::either;
    so_far = build_.emit(bool_register(), {.op = op, .a = *so_far, .b = *next});
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
    const Made link =
        is_membership ? member(relation, *left, other)
                      : build_.compared(turned(relation).op, turned(relation).swap ? *right : *left,
                                        turned(relation).swap ? *left : *right);
    if (!link) return std::nullopt;
    so_far = so_far ? build_.emit(bool_register(), {.op = LaneOp::both, .a = *so_far, .b = *link})
                    : link;
    left = right;
  }
  return so_far;
}

// Equal to one of the items of a list that is written out or can be computed beforehand.
LaneCompiler::Made LaneCompiler::member(Relation relation, RegisterId left, NodeId list) {
  std::vector<RegisterId> items;
  const Node& node = syntax_[list];
  if (const auto whole = folded(list)) {
    const auto* sequence = std::get_if<Sequence>(&whole->of);
    if (sequence == nullptr || sequence->items->size() > max_members) return std::nullopt;
    for (const Datum& item : *sequence->items) {
      const Made made = build_.constant(item);
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
  Made found = build_.constant(Datum{false});
  for (const RegisterId item : items) {
    if (build_[item].may_fault) return std::nullopt;
    const Made same = build_.compared(LaneOp::eq, left, item);
    if (!same) return same;
    found = build_.emit(bool_register(), {.op = LaneOp::either, .a = *found, .b = *same});
  }
  if (relation == Relation::in) return found;
  return build_.emit(bool_register(), {.op = LaneOp::falsehood, .a = *found, .b = *found});
}

LaneCompiler::Made LaneCompiler::choice(const Node& node) {
  const Made condition = truth(node.children[0]);
  const Made yes = condition ? value(node.children[1]) : condition;
  const Made no = yes ? value(node.children[2]) : yes;
  if (!no || build_[*yes].type != build_[*no].type) return std::nullopt;
  Register made{.type = build_[*yes].type,
                .is_bool = build_[*yes].is_bool && build_[*no].is_bool,
                .lowest = std::min(build_[*yes].lowest, build_[*no].lowest),
                .highest = std::max(build_[*yes].highest, build_[*no].highest)};
  return build_.emit(std::move(made), {.op = LaneOp::select, .a = *yes, .b = *no, .c = *condition});
}

// min, max and abs of numbers of one type.
LaneCompiler::Made LaneCompiler::call(const Node& node) {
  if (node.function == Function::abs) {
    const Made inner = value(node.children[0]);
    return inner ? build_.unary(LaneOp::absolute, *inner) : inner;
  }
  const bool is_min = node.function == Function::min;
  if ((!is_min && node.function != Function::max) || node.children.size() < 2) return std::nullopt;
  Made best = value(node.children[0]);
  for (std::size_t i = 1; best && i < node.children.size(); ++i) {
    const Made next = value(node.children[i]);
    if (!next || build_[*best].type != build_[*next].type || build_[*next].type == LaneType::text) {
      return std::nullopt;
    }
    const auto choose = [&](std::int64_t a, std::int64_t b) {
      return is_min ? std::min(a, b) : std::max(a, b);
    };
    Register made{.type = build_[*best].type,
                  .lowest = choose(build_[*best].lowest, build_[*next].lowest),
                  .highest = choose(build_[*best].highest, build_[*next].highest)};
    const LaneOp op = is_min ? LaneOp::least : LaneOp::greatest;
    best = build_.emit(std::move(made), {.op = op, .a = *best, .b = *next, .checked = false});
  }
  return best;
}

}  // namespace vyre::space
