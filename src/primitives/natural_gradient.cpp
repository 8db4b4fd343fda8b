#include "vyre/primitives/natural_gradient.h"

#include <bit>

#include "base/fixed.h"
#include "primitives/arguments.h"
#include "primitives/fixed_math.h"
#include "primitives/programs.h"
#include "primitives/shape.h"
#include "vyre/ir/build.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::Value;

constexpr std::string_view name = "natural_gradient_apply";

Literal literal_of(float value) { return {Scalar::f32, std::bit_cast<std::uint32_t>(value)}; }
Literal literal_of(std::int32_t value) { return {Scalar::i32, static_cast<std::uint32_t>(value)}; }

struct Buffers {
  ir::BufferRef w;
  ir::BufferRef g;
  ir::BufferRef out;
};

Buffers declare(Builder& k, Scalar element, const Value& n) {
  Buffers made{k.read("w", element, n * n), k.read("g", element, n), k.write("out", element, n)};
  k.grid(n);
  return made;
}

void in_floats(Builder& k, const Value& n) {
  const Value factor = k.uniform("factor", 1.0F);
  const auto [w, g, out] = declare(k, Scalar::f32, n);
  const Value row = k.let("row", ir::invocation(0));
  const auto sum = k.var("sum", ir::constant(0.0F));
  k.loop("j", ir::constant(0U), n,
         [&](const Value& j) { sum = ir::fma(w[row * n + j], g[j], sum); });
  out[row] = factor * sum;
}

// n is under 2^16 and a term under 2^47, so the sum stays within 64 bits.
void in_fixed_point(Builder& k, const Value& n) {
  const Value factor = k.uniform("factor", fixed_one);
  const auto [w, g, out] = declare(k, Scalar::i32, n);
  const Value row = k.let("row", ir::invocation(0));
  const WideSum sum(k, "sum");
  k.loop("j", ir::constant(0U), n,
         [&](const Value& j) { sum.add(fixed_product(k, "term", w[row * n + j], g[j])); });
  const Value natural = k.let("natural", saturated(sum.value()));
  out[row] = fixed_multiply(k, "scaled", factor, natural);
}

Result<void> check_numbers(std::span<const float> w, std::span<const float> g) {
  if (auto finite = check_finite(name, "w", w); !finite) return finite;
  return check_finite(name, "g", g);
}
Result<void> check_numbers(std::span<const std::int32_t>, std::span<const std::int32_t>) {
  return {};
}

}  // namespace

Result<ir::Program> natural_gradient_program(const NaturalGradientOptions& options) {
  const auto count = element_count(name, {{"n", options.n}, {"n", options.n}});
  if (!count) return std::unexpected(count.error());
  const bool is_fixed = options.element == Scalar::i32;
  if (!is_fixed && options.element != Scalar::f32) {
    return refuse(name, "the element is neither f32 nor i32, which is Q16.16");
  }
  Builder k(is_fixed ? "natural_gradient_fixed" : "natural_gradient");
  const Value n = k.uniform("n", options.n);
  if (is_fixed) {
    in_fixed_point(k, n);
  } else {
    in_floats(k, n);
  }
  return finished(k);
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

Result<NaturalGradient> NaturalGradient::make(device::Device& device,
                                              const NaturalGradientOptions& options) {
  const auto program = natural_gradient_program(options);
  if (!program) return std::unexpected(program.error());
  auto pipeline = Pipeline::make(device, {&*program, 1});
  if (!pipeline) return std::unexpected(pipeline.error());
  return NaturalGradient(*std::move(pipeline));
}

template <class T>
Result<void> NaturalGradient::run(Literal factor, std::span<const T> w, std::span<const T> g,
                                  std::span<T> out) {
  Array& from_w = pipeline_.array("w");
  Array& from_g = pipeline_.array("g");
  Array& to = pipeline_.array("out");
  if (auto fits = check_fits(name, from_w, w); !fits) return fits;
  if (auto fits = check_fits(name, from_g, g); !fits) return fits;
  if (auto fits = check_fits(name, to, out); !fits) return fits;
  if (auto good = check_numbers(w, g); !good) return good;
  if (auto done = from_w.write(w); !done) return done;
  if (auto done = from_g.write(g); !done) return done;
  if (auto done = pipeline_.stage(0).set("factor", factor); !done) return done;
  if (auto done = pipeline_.launch(); !done) return done;
  return to.read(out);
}

Result<void> NaturalGradient::operator()(std::span<const float> w, std::span<const float> g,
                                         std::span<float> out) {
  return run(literal_of(1.0F), w, g, out);
}
Result<void> NaturalGradient::operator()(std::span<const std::int32_t> w,
                                         std::span<const std::int32_t> g,
                                         std::span<std::int32_t> out) {
  return run(literal_of(fixed_one), w, g, out);
}
Result<void> NaturalGradient::step(float rate, std::span<const float> w, std::span<const float> g,
                                   std::span<float> out) {
  if (auto finite = check_finite(name, "rate", {&rate, 1}); !finite) return finite;
  return run(literal_of(-rate), w, g, out);
}
Result<void> NaturalGradient::step(std::int32_t rate, std::span<const std::int32_t> w,
                                   std::span<const std::int32_t> g, std::span<std::int32_t> out) {
  return run(literal_of(vyre::fixed_subtract(0, rate)), w, g, out);
}

}  // namespace vyre::primitives
