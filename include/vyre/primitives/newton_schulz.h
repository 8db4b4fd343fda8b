// The inverse square root of a symmetric positive definite matrix by products alone.
//
//   Y_0 = M / s,  Z_0 = I,  T = (3 I - Z Y) / 2,  Y <- Y T,  Z <- T Z:   Z -> (M / s)^(-1/2)
//
// N. J. Higham, "Functions of Matrices", SIAM 2008, chapter 6. s is a power of four not below
// the largest row sum of |M|, so that every eigenvalue of Y_0 is in (0, 1], where the iteration
// converges, and scaling is exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

struct NewtonSchulzOptions {
  std::uint32_t n = 0;
  // What it computes in: f64 or f32; unknown takes f64 where the device has it, else f32.
  Scalar working = Scalar::unknown;
  std::uint32_t max_iterations = 60;
  // On |I - Z Y|, the Frobenius norm. Rounding may stop it earlier: it also ends where the residual
  // is below 0.01 and no longer halves.
  double tolerance = 1e-9;
};

// Start, then residual and update from Y, Z to their copies, then residual and update back.
// Buffers: m (n * n, f32), root (n * n, f32), residual (n, f32: a row's part of |I - Z Y|^2),
// y, z, t, y_next, z_next (n * n). Uniforms: down = 1 / s, root_down = 1 / sqrt(s).
[[nodiscard]] Result<std::vector<ir::Program>> newton_schulz_programs(
    const NewtonSchulzOptions& options);

// By Jacobi's eigenvalue rotations.
void inverse_sqrt_reference(std::span<const double> m, std::uint32_t n, std::span<double> root);

struct NewtonSchulzReport {
  std::uint32_t iterations = 0;
  double residual = 0;
};

// Move-only; must not outlive its device. After it is made it allocates nothing.
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
