// The natural gradient: a gradient preconditioned by a matrix.
//
//   g_nat = W g,   step = -rate * g_nat
//
// W is n x n and row major: M^(-1/2) of a Fisher matrix M from newton_schulz_inverse_sqrt, or the
// whole inverse. S. Amari, "Natural gradient works efficiently in learning", Neural Computation
// 10(2), 1998. In Q16.16 each term is (w * g) >> 16, summed in 64 bits; the sum saturates.
#pragma once

#include <cstdint>
#include <span>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

struct NaturalGradientOptions {
  std::uint32_t n = 0;
  Scalar element = Scalar::f32;  // or i32: Q16.16
};

// Buffers: w (n * n), g (n), out (n) = factor * (w g). Uniform: factor, 1 unless set.
[[nodiscard]] Result<ir::Program> natural_gradient_program(const NaturalGradientOptions& options);

// g_nat. The second computes the bits that a device does.
void natural_gradient_reference(std::span<const double> w, std::span<const double> g,
                                std::span<double> out);
void natural_gradient_reference(std::span<const std::int32_t> w, std::span<const std::int32_t> g,
                                std::span<std::int32_t> out);

// Move-only; must not outlive its device. After it is made it allocates nothing. Refuses spans of
// another length or type, and what is not finite.
class NaturalGradient {
 public:
  [[nodiscard]] static Result<NaturalGradient> make(device::Device& device,
                                                    const NaturalGradientOptions& options);

  // g_nat.
  [[nodiscard]] Result<void> operator()(std::span<const float> w, std::span<const float> g,
                                        std::span<float> out);
  [[nodiscard]] Result<void> operator()(std::span<const std::int32_t> w,
                                        std::span<const std::int32_t> g,
                                        std::span<std::int32_t> out);
  // -rate * g_nat; in fixed point the rate is Q16.16 too.
  [[nodiscard]] Result<void> step(float rate, std::span<const float> w, std::span<const float> g,
                                  std::span<float> out);
  [[nodiscard]] Result<void> step(std::int32_t rate, std::span<const std::int32_t> w,
                                  std::span<const std::int32_t> g, std::span<std::int32_t> out);

 private:
  explicit NaturalGradient(Pipeline pipeline) : pipeline_(std::move(pipeline)) {}
  template <class T>
  [[nodiscard]] Result<void> run(Literal factor, std::span<const T> w, std::span<const T> g,
                                 std::span<T> out);

  Pipeline pipeline_;
};

}  // namespace vyre::primitives
