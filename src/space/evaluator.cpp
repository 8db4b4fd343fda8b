#include "space/evaluator.h"

#include "space/expression.h"
#include "space/functions.h"

namespace vyre::space {
namespace {

constexpr std::size_t max_work = 2 * max_list_items;

}  // namespace

// The innermost node that fails is the place of the error.
Faulty<Datum> Evaluator::value(NodeId id) {
  const Node& node = syntax_[id];
  auto result = compute(node);
  work_ += result ? weight(*result) : 0;
  if (work_ > max_work) result = Unexpected(Fault::too_long);
  if (!result && !placed_) {
    place_ = node.place;
    placed_ = true;
  }
  return result;
}

Faulty<Datum> Evaluator::compute(const Node& node) {
  switch (node.op) {
    case Op::constant:
      return to_datum(node.value);
    case Op::none:
      return Datum{};
    case Op::parameter:
      return parameters_[node.slot];
    case Op::local:
      return locals_[node.slot];
    case Op::list:
    case Op::tuple:
    case Op::call:
      return items(node);
    case Op::comprehension:
      return comprehension(node);
    case Op::comparison:
      return comparison(node);
    case Op::minus:
    case Op::plus:
      return signed_number(node);
    case Op::negation: {
      const auto inner = value(node.children[0]);
      return inner ? Faulty<Datum>(Datum{!truth(*inner)}) : inner;
    }
    case Op::choice: {
      const auto condition = value(node.children[0]);
      return condition ? value(node.children[truth(*condition) ? 1 : 2]) : condition;
    }
    case Op::all_of:
    case Op::any_of: {
      for (std::size_t i = 0;; ++i) {
        auto result = value(node.children[i]);
        const bool last = i + 1 == node.children.size();
        if (!result || last || truth(*result) == (node.op == Op::any_of)) return result;
      }
    }
    default:
      break;
  }
  auto left = value(node.children[0]);
  if (!left) return left;
  const auto right = value(node.children[1]);
  return right ? operate(node.op, *left, *right) : right;
}

Faulty<Datum> Evaluator::comparison(const Node& node) {
  auto left = value(node.children[0]);
  for (std::size_t i = 0; i < node.relations.size(); ++i) {
    if (!left) return left;
    auto right = value(node.children[i + 1]);
    if (!right) return right;
    const auto holds = related(node.relations[i], *left, *right);
    if (!holds) return Unexpected(holds.error());
    if (!*holds) return Datum{false};
    left = std::move(right);
  }
  return Datum{true};
}

Faulty<Datum> Evaluator::signed_number(const Node& node) {
  auto inner = value(node.children[0]);
  if (!inner) return inner;
  const auto number = to_number(*inner);
  if (!number) return Unexpected(Fault::wrong_types);
  if (node.op == Op::plus) return to_datum(*number);
  const auto result = negate(*number);
  return result ? Faulty<Datum>(to_datum(*result)) : Unexpected(result.error());
}

Faulty<Datum> Evaluator::items(const Node& node) {
  std::vector<Datum> made;
  made.reserve(node.children.size());
  for (const NodeId child : node.children) {
    auto item = value(child);
    if (!item) return item;
    made.push_back(std::move(*item));
  }
  if (node.op == Op::call) return call(node.function, made);
  return sequence(node.op == Op::list ? SequenceKind::list : SequenceKind::tuple, std::move(made));
}

Faulty<Datum> Evaluator::comprehension(const Node& node) {
  std::vector<Datum> made;
  const Fault fault = clause(node, 1, made);
  if (fault != Fault::none) return Unexpected(fault);
  return sequence(SequenceKind::list, std::move(made));
}

Fault Evaluator::clause(const Node& node, std::size_t at, std::vector<Datum>& into) {
  if (at == node.children.size()) {
    auto item = value(node.children[0]);
    if (!item) return item.error();
    into.push_back(std::move(*item));
    return Fault::none;
  }
  const Node& part = syntax_[node.children[at]];
  const auto inner = value(part.children[0]);
  if (!inner) return inner.error();
  if (part.op == Op::only) return truth(*inner) ? clause(node, at + 1, into) : Fault::none;
  const std::vector<Datum> all = {*inner};
  const auto list = call(Function::list, all);
  if (!list) return list.error();
  for (const Datum& item : *std::get<Sequence>(list->of).items) {
    locals_[part.slot] = item;
    const Fault fault = clause(node, at + 1, into);
    if (fault != Fault::none) return fault;
  }
  return Fault::none;
}

}  // namespace vyre::space
