// What an expression can be worth while it is evaluated: a number, a truth value, a string, None,
// or a sequence of these. Every operation has Python's result, or a Fault.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "space/number.h"
#include "space/syntax.h"

namespace vyre::space {

struct Datum;

enum class SequenceKind : std::uint8_t { list, tuple, range };

// Sequences of different kinds are never equal and cannot be added. Items may be shared, so what a
// walk over all of them costs is kept beside them.
struct Sequence {
  SequenceKind kind = SequenceKind::list;
  std::size_t weight = 0;  // of all items, theirs included: 1 each, and 1 for each letter
  std::shared_ptr<const std::vector<Datum>> items;
};

struct None {};

struct Datum {
  std::variant<None, std::int64_t, double, bool, std::string, Sequence> of;
};

[[nodiscard]] Datum to_datum(const Value& value);
[[nodiscard]] Datum to_datum(const Number& number);
// A fault if it weighs more than max_list_items.
[[nodiscard]] Faulty<Datum> sequence(SequenceKind kind, std::vector<Datum> items);
[[nodiscard]] std::size_t weight(const Datum& datum);
// Nothing for None and for sequences.
[[nodiscard]] std::optional<Value> to_value(const Datum& datum);
[[nodiscard]] std::optional<Number> to_number(const Datum& datum);

[[nodiscard]] bool truth(const Datum& datum);
[[nodiscard]] bool equal(const Datum& left, const Datum& right);
// a < b for numbers, strings and sequences of one kind.
[[nodiscard]] Faulty<bool> less(const Datum& left, const Datum& right);
[[nodiscard]] Faulty<bool> related(Relation relation, const Datum& left, const Datum& right);
// The operators with two sides, + and * also for strings and sequences.
[[nodiscard]] Faulty<Datum> operate(Op op, const Datum& left, const Datum& right);

}  // namespace vyre::space
