// The Fisher matrix of a policy or model, estimated from the latest score vectors (gradients of
// the log-likelihood), and the steps it gives.
//
//   F = cov(score) + damping I,   natural step = -rate F^(-1/2) g,   exact step = -rate F^(-1) g
//
// The covariance is Welford's: B. P. Welford, "Note on a method for calculating corrected sums of
// squares and products", Technometrics 4(3), 1962. With fewer samples than parameters, or fewer
// than two, F is the identity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/primitives/kfac.h"
#include "vyre/primitives/natural_gradient.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

struct FisherOptions {
  std::uint32_t parameters = 0;  // length of a score vector
  std::uint32_t window = 64;     // how many of the latest scores count; at least 2 and parameters
  float damping = 1e-3F;         // on the diagonal; above 0
};

// Move-only; must not outlive its device. After the first call of each kind it allocates nothing.
class Fisher {
 public:
  [[nodiscard]] static Result<Fisher> make(device::Device& device, const FisherOptions& options);

  // Takes the place of the oldest if the window is full. Refuses what is not finite.
  [[nodiscard]] Result<void> add(std::span<const float> score);
  [[nodiscard]] std::uint32_t samples() const { return samples_; }
  [[nodiscard]] bool is_identity() const;

  // F and F^(-1/2); row major, parameters x parameters.
  [[nodiscard]] Result<void> matrix(std::span<float> fisher);
  [[nodiscard]] Result<void> inverse_root(std::span<float> root);
  // -rate F^(-1/2) g.
  [[nodiscard]] Result<void> natural_step(float rate, std::span<const float> g,
                                          std::span<float> step);
  // -rate F^(-1) g. Refuses where the inverse is not good: see BlockState.
  [[nodiscard]] Result<void> exact_step(float rate, std::span<const float> g,
                                        std::span<float> step);

 private:
  // What it is made of.
  struct Parts {
    Pipeline covariance;
    NewtonSchulz inverse_sqrt;
    KfacBlockInverse inverse;
    NaturalGradient apply;
  };
  Fisher(const FisherOptions& options, Parts parts);
  [[nodiscard]] Result<void> estimate();
  [[nodiscard]] Result<void> update_root();
  [[nodiscard]] Result<void> update_inverse();

  FisherOptions options_;
  Parts parts_;
  std::vector<float> scores_;  // a ring: `next_` is the place of the next one
  std::vector<float> matrix_;
  std::vector<float> root_;
  std::vector<float> inverse_;
  std::uint32_t samples_ = 0;
  std::uint32_t next_ = 0;
  bool matrix_is_current_ = false;
  bool root_is_current_ = false;
  bool inverse_is_current_ = false;
};

}  // namespace vyre::primitives
