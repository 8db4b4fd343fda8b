// Weights of measured times: the faster, the heavier.
//
//   w_i = 65536 exp(-(t_i - t_best) / T) / sum_j exp(-(t_j - t_best) / T)
//
// The Boltzmann distribution; as a rule for choosing: R. S. Sutton and A. G. Barto, "Reinforcement
// Learning", MIT Press 2018, section 2.8. Times are u64 nanoseconds and weights Q16.16. Weights are
// rounded down and what is left over goes to the first of the fastest, so that they sum to exactly
// 65536. Every device gives the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

struct SoftmaxOptions {
  std::uint32_t n = 0;
  std::uint64_t temperature = 10'000;  // nanoseconds
};

// Move-only; must not outlive its device. After it is made it allocates nothing.
class Softmax {
 public:
  [[nodiscard]] static Result<Softmax> make(device::Device& device, const SoftmaxOptions& options);

  [[nodiscard]] Result<void> operator()(std::span<const std::uint64_t> times,
                                        std::span<std::int32_t> weights);

 private:
  Softmax(Pipeline pipeline, std::uint32_t n) : pipeline_(std::move(pipeline)), halves_(2UL * n) {}

  Pipeline pipeline_;
  std::vector<std::uint32_t> halves_;
};

}  // namespace vyre::primitives
