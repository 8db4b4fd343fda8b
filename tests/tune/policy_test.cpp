#include "tune/policy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/fixed.h"
#include "support/device.h"

namespace vyre::tune {
namespace {

const std::vector<Timed> example = {
    {{64, 1, 1}, 12'000}, {{128, 1, 1}, 8'000}, {{256, 1, 1}, 10'000}};

PolicyResult<PolicyStep> step(const std::vector<Timed>& measured, std::uint64_t temperature,
                              const std::vector<std::int32_t>& matrix) {
  const auto device = testing::opened("reference");
  return policy_step(*device, measured, temperature, matrix);
}

std::int64_t mass(const PolicyStep& made) {
  return std::accumulate(made.weights.begin(), made.weights.end(), std::int64_t{0});
}

TEST(PolicyStep, TheIdentitySelectsTheFastest) {
  const auto made = step(example, 4'000, identity_matrix(3));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->selected, example[1]);
  EXPECT_EQ(made->fastest, example[1]);
  EXPECT_EQ(mass(*made), 65'536);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(made->preconditioned[i], made->weights[i]);
}

TEST(PolicyStep, AMatrixCanSelectAnotherWhileTheFastestStaysTheFastest) {
  std::vector<std::int32_t> matrix = identity_matrix(3);
  matrix[0] = to_fixed(8.0);
  const auto made = step(example, 4'000, matrix);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->selected, example[0]);
  EXPECT_EQ(made->fastest, example[1]);
  EXPECT_EQ(made->preconditioned[0], 8 * std::int64_t{made->weights[0]});
}

TEST(PolicyStep, TiesGoToTheFasterMeasured) {
  const auto made = step(example, 4'000, std::vector<std::int32_t>(9, 0));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->selected, example[1]);
}

TEST(PolicyStep, TheDefaultTemperatureIsTenMicroseconds) {
  EXPECT_EQ(default_temperature, 10'000U);
}

TEST(PolicyStep, HoldsForTimesOfZeroAndOfTheLargestNumber) {
  const std::vector<Timed> hostile = {{{64, 1, 1}, UINT64_MAX}, {{128, 1, 1}, 0}, {{256, 1, 1}, 1}};
  for (const std::uint64_t temperature : {std::uint64_t{1}, std::uint64_t{10'000}, UINT64_MAX}) {
    const auto made = step(hostile, temperature, identity_matrix(3));
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->selected.workgroup[0], 128U);
    EXPECT_EQ(mass(*made), 65'536);
  }
}

// Halves of the largest numbers, each rounded down.
TEST(PolicyStep, LargeMatricesDoNotWrap) {
  const std::vector<std::int32_t> matrix = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
  const std::vector<Timed> two = {{{64, 1, 1}, 5}, {{128, 1, 1}, 5}};
  const auto made = step(two, 10, matrix);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->selected, two[0]);
  EXPECT_EQ(made->preconditioned, (std::vector<std::int64_t>{INT32_MAX - 1, INT32_MIN}));
}

TEST(PolicyStep, SumsHaveSixtyFourBits) {
  const std::vector<std::int32_t> matrix = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
  const std::vector<std::int32_t> ones = {fixed_one, fixed_one};
  EXPECT_EQ(preconditioned(matrix, ones),
            (std::vector<std::int64_t>{std::int64_t{INT32_MAX} * 2, std::int64_t{INT32_MIN} * 2}));
  const std::vector<std::int32_t> large = {INT32_MAX, INT32_MAX};  // 2 * 2^31 * 2^15
  EXPECT_GT(preconditioned(matrix, large)[0], std::int64_t{1} << 46);
}

TEST(PolicyStep, RefusesNoMeasurementsNoTemperatureAndAWrongMatrix) {
  EXPECT_EQ(step({}, 1, {}).error().message, "a policy step needs measurements");
  EXPECT_EQ(step({}, 1, {}).error().fault, PolicyFault::no_measurements);
  EXPECT_EQ(step(example, 0, identity_matrix(3)).error().message,
            "the temperature of a policy step is 0; it must be above");
  EXPECT_EQ(step(example, 0, identity_matrix(3)).error().fault, PolicyFault::zero_temperature);
  EXPECT_EQ(step(example, 1, identity_matrix(2)).error().message,
            "the matrix of a policy step has 4 elements; 3 measurements need 9");
  EXPECT_EQ(step(example, 1, identity_matrix(2)).error().fault, PolicyFault::wrong_matrix);
}

TEST(PolicyStep, ItsErrorIsAnErrorWhereOnlyThatIsWanted) {
  const auto weights_of_nothing = []() -> Result<std::vector<std::int32_t>> {
    VYRE_TRY(const PolicyStep made, step({}, 1, {}));
    return made.weights;
  };
  EXPECT_EQ(weights_of_nothing().error(),
            (Error{ErrorKind::input, "a policy step needs measurements"}));
}

PolicyMatrix matrix_of(device::Device& device) {
  auto made = PolicyMatrix::make(device, {32, 64, 128}, {.damping = 0.25F});
  if (!made) throw std::runtime_error(made.error().message);
  return *std::move(made);
}

TEST(PolicyMatrix, IsTheIdentityWhileThereAreTooFewRounds) {
  const auto device = testing::opened("reference");
  PolicyMatrix matrix = matrix_of(*device);
  for (int round = 0; round < 2; ++round) {
    const std::vector<std::uint64_t> times = {100, 200, 300};
    ASSERT_TRUE(matrix.add_round(times));
    EXPECT_EQ(*matrix.inverse_root(), identity_matrix(3));
  }
}

TEST(PolicyMatrix, RefusesARoundOfAnotherLength) {
  const auto device = testing::opened("reference");
  PolicyMatrix matrix = matrix_of(*device);
  for (const std::size_t count : {0U, 2U, 4U, 100'000U}) {
    const auto added = matrix.add_round(std::vector<std::uint64_t>(count, 7));
    ASSERT_FALSE(added) << count;
    EXPECT_EQ(added.error().message,
              fmt::format("a round has {} times; 3 candidates need as many", count));
  }
}

// Rounds that are all alike have no covariance: M = damping I, so its inverse root is 2 I.
TEST(PolicyMatrix, IsTheDampingAloneWhereNothingVaries) {
  const auto device = testing::opened("reference");
  PolicyMatrix matrix = matrix_of(*device);
  const std::vector<std::uint64_t> times = {100, 200, 300};
  for (int round = 0; round < 5; ++round) ASSERT_TRUE(matrix.add_round(times));
  const auto root = matrix.inverse_root();
  ASSERT_TRUE(root) << root.error().message;
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(from_fixed((*root)[i]), i % 4 == 0 ? 2 : 0, 1e-3);
}

// Only the last size varies: where slopes are noisy the inverse root is small.
TEST(PolicyMatrix, TrustsSteadyCandidatesMore) {
  const auto device = testing::opened("opencl");
  PolicyMatrix matrix = matrix_of(*device);
  for (const std::uint64_t last : {300UL, 30'000UL, 3UL, 900UL, 90UL}) {
    const std::vector<std::uint64_t> times = {100, 200, last};
    ASSERT_TRUE(matrix.add_round(times));
  }
  const auto root = matrix.inverse_root();
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_NEAR(from_fixed((*root)[0]), 2, 1e-2);  // no neighbour of it varies
  EXPECT_LT((*root)[8], (*root)[0] / 2);
}

// Candidates of one size: each is a parameter of its own, and only the last varies.
TEST(PolicyMatrix, TakesTimesThemselvesWhereSizesDoNotAscend) {
  const auto device = testing::opened("reference");
  auto matrix = PolicyMatrix::make(*device, {64, 64, 64}, {.damping = 0.25F});
  ASSERT_TRUE(matrix) << matrix.error().message;
  for (const std::uint64_t last : {100UL, 10'000UL, 100UL, 10'000UL}) {
    ASSERT_TRUE(matrix->add_round(std::vector<std::uint64_t>{100, 200, last}));
  }
  const auto root = matrix->inverse_root();
  ASSERT_TRUE(root) << root.error().message;
  const double variance = 4.0 / 3 * std::pow(std::log(100) / 2, 2);
  const std::vector<double> expected = {2, 0, 0, 0, 2, 0, 0, 0, 1 / std::sqrt(variance + 0.25)};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(from_fixed((*root)[i]), expected[i], 1e-3) << i;
}

}  // namespace
}  // namespace vyre::tune
