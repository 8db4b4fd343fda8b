// One step of the natural-gradient policy over measured workgroups.
//
//   w = softmax(-t / T),   p = M w,   selected = the largest of p
//
// M is the inverse root of a Fisher matrix; the identity selects the fastest. Weights and M are
// Q16.16. A term of p is (m * w) >> 16; sums are of 64 bits and saturate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/primitives/fisher.h"
#include "vyre/primitives/softmax.h"
#include "vyre/tune/natural_sweep.h"

namespace vyre::tune {

// `matrix` is n x n for n measurements, row major. Refuses: no measurements, a temperature of zero,
// a matrix of another size. The weights are computed on the device.
[[nodiscard]] PolicyResult<PolicyStep> policy_step(device::Device& device,
                                                   std::span<const Timed> measured,
                                                   std::uint64_t temperature,
                                                   std::span<const std::int32_t> matrix);

// For many steps with as many measurements: compiles once.
class Policy {
 public:
  [[nodiscard]] static PolicyResult<Policy> make(device::Device& device, std::size_t count,
                                                 std::uint64_t temperature);
  // See policy_step; another number of measurements than `count` is refused.
  [[nodiscard]] PolicyResult<PolicyStep> step(std::span<const Timed> measured,
                                              std::span<const std::int32_t> matrix);

 private:
  explicit Policy(primitives::Softmax softmax) : softmax_(std::move(softmax)) {}

  primitives::Softmax softmax_;
};

// What the timer or the device said, as an error of a policy.
[[nodiscard]] Unexpected<PolicyError> policy_failure(Error error);
// Refuses a matrix that is not count x count.
[[nodiscard]] PolicyResult<void> check_matrix(std::size_t elements, std::size_t count);

// M w alone. Requires n x n numbers for n weights, which need not sum to 1.
[[nodiscard]] std::vector<std::int64_t> preconditioned(std::span<const std::int32_t> matrix,
                                                       std::span<const std::int32_t> weights);

[[nodiscard]] std::vector<std::int32_t> identity_matrix(std::size_t n);

// The matrix, estimated: the Fisher matrix is the covariance of d log t / d log size over recent
// rounds, a round being one measurement of every candidate; damped, and root-inverted by Newton and
// Schulz on the device. Where candidates have no size, each is a parameter of its own, and it is
// the covariance of log t. The identity while there are fewer rounds than candidates.
class PolicyMatrix {
 public:
  // Of candidates whose sizes (invocations in a workgroup) are these. They are not used where they
  // do not ascend.
  [[nodiscard]] static Result<PolicyMatrix> make(device::Device& device,
                                                 std::vector<std::uint64_t> sizes,
                                                 const primitives::FisherOptions& options);

  // One time for each candidate; another number of them is refused.
  [[nodiscard]] Result<void> add_round(std::span<const std::uint64_t> times);
  // In Q16.16.
  [[nodiscard]] Result<std::vector<std::int32_t>> inverse_root();

 private:
  PolicyMatrix(std::vector<std::uint64_t> sizes, primitives::Fisher fisher)
      : sizes_(std::move(sizes)), fisher_(std::move(fisher)) {}
  [[nodiscard]] std::vector<float> score_of(std::span<const std::uint64_t> times) const;

  std::vector<std::uint64_t> sizes_;
  primitives::Fisher fisher_;
};

}  // namespace vyre::tune
