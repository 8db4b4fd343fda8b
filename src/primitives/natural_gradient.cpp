#include "vyre/primitives/natural_gradient.h"

#include <bit>

#include "base/fixed.h"
#include "primitives/checks.h"
#include "primitives/natural_gradient_program.h"

namespace vyre::primitives {
namespace {

Literal literal_of(float value) { return {Scalar::f32, std::bit_cast<std::uint32_t>(value)}; }
Literal literal_of(std::int32_t value) { return {Scalar::i32, static_cast<std::uint32_t>(value)}; }

Result<void> check_numbers(std::span<const float> w, std::span<const float> g) {
  if (auto finite = check_finite(natural_gradient_name, "w", w); !finite) return finite;
  return check_finite(natural_gradient_name, "g", g);
}
Result<void> check_numbers(std::span<const std::int32_t>, std::span<const std::int32_t>) {
  return {};
}

}  // namespace

Result<NaturalGradient> NaturalGradient::make(device::Device& device,
                                              const NaturalGradientOptions& options) {
  const auto program = natural_gradient_program(options);
  if (!program) return Unexpected(program.error());
  auto pipeline = Pipeline::make(device, {&*program, 1});
  if (!pipeline) return Unexpected(pipeline.error());
  return NaturalGradient(*std::move(pipeline));
}

template <class T>
Result<void> NaturalGradient::run(Literal factor, std::span<const T> w, std::span<const T> g,
                                  std::span<T> out) {
  Array& from_w = pipeline_.array("w");
  Array& from_g = pipeline_.array("g");
  Array& to = pipeline_.array("out");
  if (auto fits = check_fits(natural_gradient_name, from_w, w); !fits) return fits;
  if (auto fits = check_fits(natural_gradient_name, from_g, g); !fits) return fits;
  if (auto fits = check_fits(natural_gradient_name, to, out); !fits) return fits;
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
  if (auto finite = check_finite(natural_gradient_name, "rate", {&rate, 1}); !finite) return finite;
  return run(literal_of(-rate), w, g, out);
}
Result<void> NaturalGradient::step(std::int32_t rate, std::span<const std::int32_t> w,
                                   std::span<const std::int32_t> g, std::span<std::int32_t> out) {
  return run(literal_of(vyre::fixed_subtract(0, rate)), w, g, out);
}

}  // namespace vyre::primitives
