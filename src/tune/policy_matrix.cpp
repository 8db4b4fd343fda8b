#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/fixed.h"
#include "tune/policy.h"

namespace vyre::tune {

Result<PolicyMatrix> PolicyMatrix::make(device::Device& device, std::vector<std::uint64_t> sizes,
                                        const primitives::FisherOptions& options) {
  primitives::FisherOptions chosen = options;
  chosen.parameters = static_cast<std::uint32_t>(sizes.size());
  auto fisher = primitives::Fisher::make(device, chosen);
  if (!fisher) return Unexpected(fisher.error());
  return PolicyMatrix(std::move(sizes), *std::move(fisher));
}

Result<void> PolicyMatrix::add_round(std::span<const std::uint64_t> times) {
  if (times.size() != sizes_.size()) {
    return fail(ErrorKind::input, fmt::format("a round has {} times; {} candidates need as many",
                                              times.size(), sizes_.size()));
  }
  return fisher_.add(score_of(times));
}

// Slopes between neighbours; at the ends there is one neighbour only. One candidate has no slope.
std::vector<float> PolicyMatrix::score_of(std::span<const std::uint64_t> times) const {
  std::vector<float> score(times.size());
  const auto log_of = [](std::uint64_t value) {
    return std::log(std::max<double>(1, static_cast<double>(value)));
  };
  const bool ascend = std::ranges::is_sorted(sizes_, std::ranges::less_equal());
  for (std::size_t i = 0; i < times.size() && !ascend; ++i) {
    score[i] = static_cast<float>(log_of(times[i]));
  }
  for (std::size_t i = 0; i < times.size() && ascend && times.size() > 1; ++i) {
    const std::size_t before = i == 0 ? 0 : i - 1;
    const std::size_t after = std::min(i + 1, times.size() - 1);
    score[i] = static_cast<float>((log_of(times[after]) - log_of(times[before])) /
                                  (log_of(sizes_[after]) - log_of(sizes_[before])));
  }
  return score;
}

Result<std::vector<std::int32_t>> PolicyMatrix::inverse_root() {
  if (fisher_.is_identity()) return identity_matrix(sizes_.size());
  std::vector<float> root(sizes_.size() * sizes_.size());
  if (auto done = fisher_.inverse_root(root); !done) return Unexpected(done.error());
  std::vector<std::int32_t> fixed;
  for (const float value : root) fixed.push_back(to_fixed(value));
  return fixed;
}

}  // namespace vyre::tune
