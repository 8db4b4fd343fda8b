#include "tune/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/fixed.h"
#include "vyre/primitives/softmax.h"

namespace vyre::tune {
namespace {

Result<void> check_arguments(std::size_t measured, std::uint64_t temperature, std::size_t matrix) {
  if (measured == 0) return fail(ErrorKind::input, "a policy step needs measurements");
  if (temperature == 0) {
    return fail(ErrorKind::input, "the temperature of a policy step is 0; it must be above");
  }
  if (matrix != measured * measured) {
    return fail(ErrorKind::input,
                fmt::format("the matrix of a policy step has {} elements; {} measurements need {}",
                            matrix, measured, measured * measured));
  }
  return {};
}

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

}  // namespace

std::vector<std::int64_t> preconditioned(std::span<const std::int32_t> matrix,
                                         std::span<const std::int32_t> weights) {
  check(matrix.size() == weights.size() * weights.size(), "the matrix is n x n for n weights");
  std::vector<std::int64_t> sums(weights.size());
  for (std::size_t row = 0; row < weights.size(); ++row) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const std::int64_t term = fixed_product(matrix[row * weights.size() + i], weights[i]);
      sums[row] = saturating_sum(sums[row], term);
    }
  }
  return sums;
}

Result<PolicyStep> policy_step(device::Device& device, std::span<const Timed> measured,
                               std::uint64_t temperature, std::span<const std::int32_t> matrix) {
  auto good = check_arguments(measured.size(), temperature, matrix.size());
  if (!good) return Unexpected(good.error());
  PolicyStep step;
  std::vector<std::uint64_t> times;
  for (const Timed& timed : measured) times.push_back(timed.ns);
  auto softmax = primitives::Softmax::make(
      device, {.n = static_cast<std::uint32_t>(times.size()), .temperature = temperature});
  if (!softmax) return Unexpected(softmax.error());
  step.weights.resize(times.size());
  if (auto done = (*softmax)(times, step.weights); !done) return Unexpected(done.error());
  step.preconditioned = preconditioned(matrix, step.weights);

  std::size_t best = 0;
  for (std::size_t i = 1; i < measured.size(); ++i) {
    const std::int64_t here = step.preconditioned[i];
    const std::int64_t there = step.preconditioned[best];
    if (here > there || (here == there && times[i] < times[best])) best = i;
  }
  step.selected = measured[best];
  step.fastest = *std::ranges::min_element(measured, {}, &Timed::ns);
  return step;
}

std::vector<std::int32_t> identity_matrix(std::size_t n) {
  std::vector<std::int32_t> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = fixed_one;
  return matrix;
}

}  // namespace vyre::tune
