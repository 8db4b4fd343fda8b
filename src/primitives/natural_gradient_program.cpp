#include "primitives/natural_gradient_program.h"

#include "base/fixed.h"
#include "primitives/checks.h"
#include "primitives/fixed_math.h"
#include "primitives/programs.h"
#include "vyre/ir/build.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::Value;

struct Buffers {
  ir::BufferRef w;
  ir::BufferRef g;
  ir::BufferRef out;
};

Buffers declare(Builder& k, Scalar element, const Value& n, const NaturalGradientNames& names) {
  Buffers made{k.read(names.w, element, n * n), k.read(names.g, element, n),
               k.write(names.out, element, n)};
  k.grid(n);
  return made;
}

void in_floats(Builder& k, const Value& n, const NaturalGradientNames& names) {
  const Value factor = k.uniform("factor", 1.0F);
  const auto [w, g, out] = declare(k, Scalar::f32, n, names);
  const Value row = k.let("row", ir::invocation(0));
  const auto sum = k.var("sum", ir::constant(0.0F));
  k.loop("j", ir::constant(0U), n,
         [&](const Value& j) { sum = ir::fma(w[row * n + j], g[j], sum); });
  out[row] = factor * sum;
}

// n is under 2^16 and a term under 2^47, so the sum stays within 64 bits.
void in_fixed_point(Builder& k, const Value& n, const NaturalGradientNames& names) {
  const Value factor = k.uniform("factor", fixed_one);
  const auto [w, g, out] = declare(k, Scalar::i32, n, names);
  const Value row = k.let("row", ir::invocation(0));
  const WideSum sum(k, "sum");
  k.loop("j", ir::constant(0U), n,
         [&](const Value& j) { sum.add(fixed_product(k, "term", w[row * n + j], g[j])); });
  const Value natural = k.let("natural", saturated(sum.value()));
  out[row] = fixed_multiply(k, "scaled", factor, natural);
}

}  // namespace

Result<ir::Program> natural_gradient_program(const NaturalGradientOptions& options,
                                             const NaturalGradientNames& names) {
  const auto count = element_count(natural_gradient_name, {{"n", options.n}, {"n", options.n}});
  if (!count) return Unexpected(count.error());
  const bool is_fixed = options.element == Scalar::i32;
  if (!is_fixed && options.element != Scalar::f32) {
    return refuse(natural_gradient_name, "the element is neither f32 nor i32, which is Q16.16");
  }
  Builder k(is_fixed ? "natural_gradient_fixed" : "natural_gradient");
  const Value n = k.uniform("n", options.n);
  if (is_fixed) {
    in_fixed_point(k, n, names);
  } else {
    in_floats(k, n, names);
  }
  return finished(natural_gradient_name, k);
}

void natural_gradient_reference(std::span<const double> w, std::span<const double> g,
                                std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = 0;
    for (std::size_t j = 0; j < g.size(); ++j) out[i] += w[i * g.size() + j] * g[j];
  }
}

void natural_gradient_reference(std::span<const std::int32_t> w, std::span<const std::int32_t> g,
                                std::span<std::int32_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < g.size(); ++j)
      sum += vyre::fixed_product(w[i * g.size() + j], g[j]);
    out[i] = saturate(sum);
  }
}

}  // namespace vyre::primitives
