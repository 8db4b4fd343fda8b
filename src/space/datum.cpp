#include "space/datum.h"

#include <algorithm>

namespace vyre::space {
namespace {

Unexpected<Fault> wrong_types() { return Unexpected(Fault::wrong_types); }

const Sequence* as_sequence(const Datum& datum) { return std::get_if<Sequence>(&datum.of); }
const std::string* as_text(const Datum& datum) { return std::get_if<std::string>(&datum.of); }

bool is_list_pair(const Sequence* left, const Sequence* right) {
  return left != nullptr && right != nullptr && left->kind == right->kind;
}

Faulty<bool> less(const std::vector<Datum>& left, const std::vector<Datum>& right) {
  const std::size_t common = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (!equal(left[i], right[i])) return less(left[i], right[i]);
  }
  return left.size() < right.size();
}

Faulty<bool> contains(const Datum& whole, const Datum& part) {
  if (const Sequence* items = as_sequence(whole)) {
    return std::ranges::any_of(*items->items, [&](const Datum& d) { return equal(d, part); });
  }
  const std::string* text = as_text(whole);
  const std::string* wanted = as_text(part);
  if (text == nullptr || wanted == nullptr) return wrong_types();
  return text->find(*wanted) != std::string::npos;
}

// <= is not (b < a), which differs for nan.
Faulty<bool> at_most(const Datum& left, const Datum& right) {
  const auto a = to_number(left);
  const auto b = to_number(right);
  if (a && b) return std::is_lteq(order(*a, *b));
  const auto above = less(right, left);
  return above ? Faulty<bool>(!*above) : above;
}

Faulty<Datum> joined(const Sequence& left, const Sequence& right) {
  std::vector<Datum> items = *left.items;
  items.insert(items.end(), right.items->begin(), right.items->end());
  return sequence(left.kind, std::move(items));
}

// A string or a sequence so many times; less than once is empty.
Faulty<Datum> repeated(const Datum& what, const Number& times) {
  if (times.is_float) return wrong_types();
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(times.integer, 0));
  const std::string* text = as_text(what);
  const Sequence* items = as_sequence(what);
  if (items != nullptr && items->kind == SequenceKind::range) return wrong_types();
  const std::size_t size = text != nullptr ? text->size() : items->items->size();
  if (size > 0 && count > max_list_items / size) return Unexpected(Fault::too_long);
  if (size == 0) return what;
  std::string words;
  std::vector<Datum> list;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (text != nullptr) {
      words += *text;
    } else {
      list.insert(list.end(), items->items->begin(), items->items->end());
    }
  }
  if (text != nullptr) return Datum{std::move(words)};
  return sequence(items->kind, std::move(list));
}

Faulty<Datum> operate_on_others(Op op, const Datum& left, const Datum& right) {
  const Sequence* items = as_sequence(left);
  const Sequence* more = as_sequence(right);
  const std::string* text = as_text(left);
  const std::string* ending = as_text(right);
  if (op == Op::add && is_list_pair(items, more) && items->kind != SequenceKind::range) {
    return joined(*items, *more);
  }
  if (op == Op::add && text != nullptr && ending != nullptr) {
    if (text->size() + ending->size() > max_list_items) return Unexpected(Fault::too_long);
    return Datum{*text + *ending};
  }
  if (op == Op::multiply) {
    if (items != nullptr || text != nullptr) {
      if (const auto times = to_number(right)) return repeated(left, *times);
    } else if (more != nullptr || ending != nullptr) {
      if (const auto times = to_number(left)) return repeated(right, *times);
    }
  }
  return wrong_types();
}

Faulty<Number> operate_on_numbers(Op op, const Number& left, const Number& right) {
  switch (op) {
    case Op::add:
      return add(left, right);
    case Op::subtract:
      return subtract(left, right);
    case Op::multiply:
      return multiply(left, right);
    case Op::divide:
      return divide(left, right);
    case Op::floor_divide:
      return floor_divide(left, right);
    case Op::modulo:
      return modulo(left, right);
    default:
      return power(left, right);
  }
}

}  // namespace

Datum to_datum(const Value& value) {
  return std::visit([](const auto& held) { return Datum{held}; }, value);
}

Datum to_datum(const Number& number) {
  return number.is_float ? Datum{number.real} : Datum{number.integer};
}

std::size_t weight(const Datum& datum) {
  if (const std::string* text = as_text(datum)) return 1 + text->size();
  const Sequence* items = as_sequence(datum);
  return items != nullptr ? 1 + items->weight : 1;
}

Faulty<Datum> sequence(SequenceKind kind, std::vector<Datum> items) {
  std::size_t total = 0;
  for (const Datum& item : items) total += weight(item);
  if (total > max_list_items) return Unexpected(Fault::too_long);
  return Datum{Sequence{kind, total, std::make_shared<const std::vector<Datum>>(std::move(items))}};
}

std::optional<Value> to_value(const Datum& datum) {
  if (const auto* integer = std::get_if<std::int64_t>(&datum.of)) return Value(*integer);
  if (const auto* real = std::get_if<double>(&datum.of)) return Value(*real);
  if (const auto* truth = std::get_if<bool>(&datum.of)) return Value(*truth);
  if (const auto* text = as_text(datum)) return Value(*text);
  return std::nullopt;
}

std::optional<Number> to_number(const Datum& datum) {
  if (const auto* integer = std::get_if<std::int64_t>(&datum.of)) return Number::of(*integer);
  if (const auto* real = std::get_if<double>(&datum.of)) return Number::of(*real);
  if (const auto* truth = std::get_if<bool>(&datum.of)) return Number::of(std::int64_t{*truth});
  return std::nullopt;
}

bool truth(const Datum& datum) {
  if (const auto number = to_number(datum)) return number->truth();
  if (const std::string* text = as_text(datum)) return !text->empty();
  if (const Sequence* items = as_sequence(datum)) return !items->items->empty();
  return false;
}

bool equal(const Datum& left, const Datum& right) {
  const auto a = to_number(left);
  const auto b = to_number(right);
  if (a && b) return order(*a, *b) == std::partial_ordering::equivalent;
  const std::string* text = as_text(left);
  const std::string* other = as_text(right);
  if (text != nullptr && other != nullptr) return *text == *other;
  const Sequence* items = as_sequence(left);
  const Sequence* others = as_sequence(right);
  if (is_list_pair(items, others)) return std::ranges::equal(*items->items, *others->items, equal);
  return left.of.index() == 0 && right.of.index() == 0;
}

Faulty<bool> less(const Datum& left, const Datum& right) {
  const auto a = to_number(left);
  const auto b = to_number(right);
  if (a && b) return std::is_lt(order(*a, *b));
  const std::string* text = as_text(left);
  const std::string* other = as_text(right);
  if (text != nullptr && other != nullptr) return *text < *other;
  const Sequence* items = as_sequence(left);
  const Sequence* others = as_sequence(right);
  if (is_list_pair(items, others) && items->kind != SequenceKind::range) {
    return less(*items->items, *others->items);
  }
  return wrong_types();
}

Faulty<bool> related(Relation relation, const Datum& left, const Datum& right) {
  switch (relation) {
    case Relation::lt:
      return less(left, right);
    case Relation::le:
      return at_most(left, right);
    case Relation::gt:
      return less(right, left);
    case Relation::ge:
      return at_most(right, left);
    case Relation::eq:
      return equal(left, right);
    case Relation::ne:
      return !equal(left, right);
    case Relation::in:
      return contains(right, left);
    case Relation::not_in:
      break;
  }
  const auto found = contains(right, left);
  return found ? Faulty<bool>(!*found) : found;
}

Faulty<Datum> operate(Op op, const Datum& left, const Datum& right) {
  const auto a = to_number(left);
  const auto b = to_number(right);
  if (!a || !b) return operate_on_others(op, left, right);
  const auto result = operate_on_numbers(op, *a, *b);
  if (!result) return Unexpected(result.error());
  return to_datum(*result);
}

}  // namespace vyre::space
