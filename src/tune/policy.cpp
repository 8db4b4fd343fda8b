#include "tune/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/fixed.h"

namespace vyre::tune {
namespace {

Unexpected<PolicyError> policy_fault(PolicyFault fault, std::string message) {
  return Unexpected(PolicyError{{ErrorKind::input, std::move(message)}, fault});
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

Unexpected<PolicyError> policy_failure(Error error) {
  return Unexpected(PolicyError{std::move(error)});
}

PolicyResult<void> check_matrix(std::size_t elements, std::size_t count) {
  if (elements == count * count) return {};
  return policy_fault(
      PolicyFault::wrong_matrix,
      fmt::format("the matrix of a policy step has {} elements; {} measurements need {}", elements,
                  count, count * count));
}

PolicyResult<Policy> Policy::make(device::Device& device, std::size_t count,
                                  std::uint64_t temperature) {
  if (count == 0) {
    return policy_fault(PolicyFault::no_measurements, "a policy step needs measurements");
  }
  if (temperature == 0) {
    return policy_fault(PolicyFault::zero_temperature,
                        "the temperature of a policy step is 0; it must be above");
  }
  auto softmax = primitives::Softmax::make(
      device, {.n = static_cast<std::uint32_t>(count), .temperature = temperature});
  if (!softmax) return policy_failure(softmax.error());
  return Policy(*std::move(softmax));
}

PolicyResult<PolicyStep> Policy::step(std::span<const Timed> measured,
                                      std::span<const std::int32_t> matrix) {
  if (auto fits = check_matrix(matrix.size(), measured.size()); !fits) {
    return Unexpected(fits.error());
  }
  PolicyStep step;
  std::vector<std::uint64_t> times;
  for (const Timed& timed : measured) times.push_back(timed.ns);
  step.weights.resize(times.size());
  if (auto done = softmax_(times, step.weights); !done) return policy_failure(done.error());
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

PolicyResult<PolicyStep> policy_step(device::Device& device, std::span<const Timed> measured,
                                     std::uint64_t temperature,
                                     std::span<const std::int32_t> matrix) {
  auto policy = Policy::make(device, measured.size(), temperature);
  if (!policy) return Unexpected(policy.error());
  return policy->step(measured, matrix);
}

std::string_view name_of(PolicyFault fault) {
  switch (fault) {
    case PolicyFault::no_measurements:
      return "no_measurements";
    case PolicyFault::zero_temperature:
      return "zero_temperature";
    case PolicyFault::wrong_matrix:
      return "wrong_matrix";
    case PolicyFault::failed:
      return "failed";
  }
  return "failed";
}

std::vector<std::int32_t> identity_matrix(std::size_t n) {
  std::vector<std::int32_t> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = fixed_one;
  return matrix;
}

}  // namespace vyre::tune
