// The matrix of the live policy `natural`, computed on a device: the inverse root of the damped
// covariance of the arms' log times over rounds (see PolicyMatrix, vyre/primitives/fisher.h).
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "tune/live_policy.h"
#include "vyre/device/device.h"

namespace vyre::tune {

// The device must outlive it; one thread at a time. It compiles once for each number of arms and
// rounds.
[[nodiscard]] MatrixSource live_matrix(device::Device& device, float damping = 1e-3F);

// The same for a policy that must not wait: what it asks for is computed by another thread, and
// until that is done there is none.
class LateMatrix {
 public:
  // For the policy. Must not outlive this.
  [[nodiscard]] MatrixSource source();
  // Computes what was asked for last, if that is not known.
  void compute(const MatrixSource& on_device);

 private:
  struct Question {
    std::vector<std::uint64_t> rounds;
    std::size_t arms = 0;
  };
  std::mutex mutex_;
  std::optional<Question> asked_;
  std::size_t arms_ = 0;  // of the matrix
  std::vector<std::int32_t> matrix_;
};

}  // namespace vyre::tune
