// The natural gradient: a gradient preconditioned by a matrix.
//
//   g_nat = W g,   step = -rate * g_nat
//
// W is n x n and row major: M^(-1/2) of a Fisher matrix M, which NewtonSchulz computes, or the
// whole inverse. S. Amari, "Natural gradient works efficiently in learning", Neural Computation
// 10(2), 1998. fisher.h estimates M from scores and takes the steps.
//
// Both objects are move-only, must not outlive their device, and allocate nothing after they are
// made.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

struct NaturalGradientOptions {
  std::uint32_t n = 0;
  Scalar element = Scalar::f32;  // or i32: Q16.16
};

// Refuses spans of another length or type, and what is not finite. In Q16.16 each term is
// (w * g) >> 16, summed in 64 bits; the sum saturates.
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

struct NewtonSchulzOptions {
  std::uint32_t n = 0;
  // What it computes in: f64 or f32; unknown takes f64 where the device has it, else f32.
  Scalar working = Scalar::unknown;
};

struct NewtonSchulzReport {
  std::uint32_t iterations = 0;
  double residual = 0;  // |I - Z Y|, the Frobenius norm
};

// The inverse square root of a symmetric positive definite matrix by products alone.
//
//   Y_0 = M / s,  Z_0 = I,  T = (3 I - Z Y) / 2,  Y <- Y T,  Z <- T Z:   Z -> (M / s)^(-1/2)
//
// N. J. Higham, "Functions of Matrices", SIAM 2008, chapter 6. s is a power of four not below
// the largest row sum of |M|, so that every eigenvalue of Y_0 is in (0, 1], where the iteration
// converges, and scaling is exact. It ends where the residual is below 1e-9, or below 0.01 and
// no longer halves, where rounding stops it.
class NewtonSchulz {
 public:
  [[nodiscard]] static Result<NewtonSchulz> make(device::Device& device,
                                                 const NewtonSchulzOptions& options);

  // Both row major. Refuses a matrix that is not finite, not symmetric or not positive definite,
  // and one so near to singular that it did not converge; `root` then holds nothing of use.
  [[nodiscard]] Result<NewtonSchulzReport> operator()(std::span<const float> m,
                                                      std::span<float> root);

 private:
  NewtonSchulz(Pipeline pipeline, const NewtonSchulzOptions& options);
  [[nodiscard]] Result<void> start(std::span<const float> m);
  [[nodiscard]] Result<double> residual(std::uint32_t iteration);
  [[nodiscard]] Result<NewtonSchulzReport> iterate();

  Pipeline pipeline_;
  NewtonSchulzOptions options_;
  std::vector<float> row_residuals_;
};

}  // namespace vyre::primitives
