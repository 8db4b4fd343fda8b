#include "primitives/portable_exp.h"

namespace vyre::primitives {

using ir::Value;

Value portable_exp_minus(ir::Builder& k, const std::string& name, const Value& x) {
  constexpr float log2_e = 1.44269504F;
  // ln 2 in two parts: the first has so few bits that its product with k is exact.
  constexpr float ln_2_high = 0.693359375F;
  constexpr float ln_2_low = -2.12194440e-4F;
  const Value bounded = k.let(name + "_bounded", ir::min(x, ir::constant(80.0F)));
  const Value turns =
      k.let(name + "_turns",
            ir::convert(Scalar::i32, ir::fma(bounded, ir::constant(log2_e), ir::constant(0.5F))));
  const Value whole = k.let(name + "_whole", ir::convert(Scalar::f32, turns));
  // -r, so that the polynomial has no signs.
  const Value rest = k.let(
      name + "_rest",
      ir::fma(whole, ir::constant(ln_2_low), ir::fma(whole, ir::constant(ln_2_high), -bounded)));
  Value sum = ir::constant(1.0F / 5040);
  for (const float factor : {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F}) {
    sum = ir::fma(sum, rest, ir::constant(factor));
  }
  const Value power = ir::bitcast(Scalar::f32, (127 - turns) << 23);
  return k.let(name, ir::select(x > 80.0F, ir::constant(0.0F), sum * power));
}

}  // namespace vyre::primitives
