#include "primitives/fixed_math.h"

#include <cstdint>
#include <limits>

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::Value;

Value as_u32(const Value& a) { return ir::convert(Scalar::u32, a); }
Value as_i32(const Value& a) { return ir::convert(Scalar::i32, a); }

// The upper half of the product of two u32, from products of their 16-bit halves.
Value high_product(Builder& k, const std::string& name, const Value& a, const Value& b) {
  const Value low_high = k.let(name + "_lh", (a & 0xFFFFU) * (b >> 16U));
  const Value high_low = k.let(name + "_hl", (a >> 16U) * (b & 0xFFFFU));
  const Value low_low = (a & 0xFFFFU) * (b & 0xFFFFU);
  const Value middle =
      k.let(name + "_mid", (low_low >> 16U) + (low_high & 0xFFFFU) + (high_low & 0xFFFFU));
  return (a >> 16U) * (b >> 16U) + (low_high >> 16U) + (high_low >> 16U) + (middle >> 16U);
}

}  // namespace

Wide fixed_product(Builder& k, const std::string& name, const Value& a, const Value& b) {
  const Value x = k.let(name + "_x", as_u32(a));
  const Value y = k.let(name + "_y", as_u32(b));
  const Value zero = ir::constant(0U);
  // A negative operand read as u32 is 2^32 too large: take the other one off the upper half.
  const Value surplus = ir::select(as_i32(x) < 0, y, zero) + ir::select(as_i32(y) < 0, x, zero);
  const Value high = k.let(name + "_high", high_product(k, name, x, y) - surplus);
  return {k.let(name + "_up", as_u32(as_i32(high) >> 16)),
          k.let(name + "_low", (high << 16U) | (x * y >> 16U))};
}

Value saturated(const Wide& wide) {
  const Value high = as_i32(wide.high);
  const Value low = as_i32(wide.low);
  const Value end = ir::select(high < 0, ir::constant(std::numeric_limits<std::int32_t>::min()),
                               ir::constant(std::numeric_limits<std::int32_t>::max()));
  return ir::select(high == (low >> 31), low, end);
}

Value fixed_multiply(Builder& k, const std::string& name, const Value& a, const Value& b) {
  return k.let(name, saturated(fixed_product(k, name, a, b)));
}

Value fixed_subtract(Builder& k, const std::string& name, const Value& a, const Value& b) {
  const Value wrapped = k.let(name + "_wrapped", a - b);
  // It left the range where the operands' signs differ and the result's is not that of a.
  const Value left = ((a ^ b) & (a ^ wrapped)) < 0;
  const Value end = ir::select(a < 0, ir::constant(std::numeric_limits<std::int32_t>::min()),
                               ir::constant(std::numeric_limits<std::int32_t>::max()));
  return k.let(name, ir::select(left, end, wrapped));
}

Value distance(const Value& a, const Value& b) {
  return ir::select(a < b, as_u32(b) - as_u32(a), as_u32(a) - as_u32(b));
}

WideSum::WideSum(Builder& k, const std::string& name)
    : high_(k.var(name + "_high", ir::constant(0U))),
      low_(k.var(name + "_low", ir::constant(0U))) {}

void WideSum::add(const Wide& term) const {
  low_ += term.low;
  high_ += term.high + as_u32(Value(low_) < term.low);
}

}  // namespace vyre::primitives
