// Sets of integers between two bounds, and what the integer operations do to them.
//
// Bounds are wide enough to hold exact results of u32 and i32 operations, so that a result that
// leaves its type can be seen before it wraps. Products saturate at the ends of int64.
#pragma once

#include <cstdint>

#include "vyre/ir/expr.h"
#include "vyre/ir/type.h"

namespace vyre::ir {

// Every value v with lo <= v <= hi. Never empty.
struct Interval {
  std::int64_t lo = 0;
  std::int64_t hi = 0;

  [[nodiscard]] bool contains(std::int64_t value) const { return lo <= value && value <= hi; }
  [[nodiscard]] bool within(Interval outer) const { return outer.lo <= lo && hi <= outer.hi; }
  [[nodiscard]] bool is_one_value() const { return lo == hi; }
  bool operator==(const Interval&) const = default;
};

// Whether intervals follow the values of a type: u32, i32 and bool.
[[nodiscard]] constexpr bool is_followed(Scalar scalar) {
  return is_word(scalar) || scalar == Scalar::boolean;
}

// All values of a type, or of a narrow element; [0, 1] for bool. For those that are not followed,
// the range of i32.
[[nodiscard]] Interval full_range(Scalar scalar);

[[nodiscard]] Interval hull(Interval a, Interval b);

// The common part. Where there is none no execution gets here, and any answer is sound: a's nearest
// value is returned.
[[nodiscard]] Interval meet(Interval a, Interval b);

// The results before they wrap; of types that are not followed only counts of bits are known.
[[nodiscard]] Interval apply(UnaryOp op, Scalar scalar, Interval a);
[[nodiscard]] Interval apply(BinaryOp op, Scalar scalar, Interval a, Interval b);

// Whether a comparison holds: [1, 1] if it always does, [0, 0] if it never does.
[[nodiscard]] Interval truth(BinaryOp op, Interval a, Interval b);

// The interval itself if the type holds all of it, else everything: its values may have wrapped.
[[nodiscard]] Interval wrapped(Interval exact, Scalar scalar);

// The values of a loop's variable in its body: see ir::For.
[[nodiscard]] Interval loop_values(Interval begin, Interval end, Interval step, Scalar scalar);

// Comparisons. The one that holds where `op` does not, and the same with its sides exchanged.
[[nodiscard]] BinaryOp negated(BinaryOp op);
[[nodiscard]] BinaryOp swapped(BinaryOp op);
// The values x for which `x op y` can hold, y in `other`.
[[nodiscard]] Interval satisfying(BinaryOp op, Interval other);
// Where x != y: helps only where y is an end of what x can be.
[[nodiscard]] Interval without(Interval values, Interval other);

}  // namespace vyre::ir
