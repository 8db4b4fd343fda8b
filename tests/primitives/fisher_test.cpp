#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "primitives/fisher_program.h"
#include "primitives/suite.h"
#include "support/allocations.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

using Floats = std::vector<float>;

const FisherOptions three_of_twelve{.parameters = 3, .window = 12, .damping = 0.01F};

// With means far from zero, where the textbook formula loses its digits.
Floats scores_of(std::size_t samples, std::uint32_t seed) {
  Floats scores = random_floats(samples * 3, seed);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += i % 3 == 1 ? 1000.0F : -50.0F;
  return scores;
}

void add_all(Fisher& fisher, const Floats& scores) {
  for (std::size_t i = 0; i < scores.size(); i += 3) {
    good(fisher.add(std::span(scores).subspan(i, 3)));
  }
}

Floats matrix_of(Fisher& fisher) {
  Floats matrix(9);
  good(fisher.matrix(matrix));
  return matrix;
}

const Floats identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};

}  // namespace

std::vector<Case> fisher_cases() {
  const Floats scores = scores_of(12, 8);
  Case one{.name = "fisher",
           .programs = {good(fisher_program(three_of_twelve))},
           .run = [=](device::Device& device) -> Result<std::vector<double>> {
             auto fisher = good(Fisher::make(device, three_of_twelve));
             add_all(fisher, scores);
             return doubles(matrix_of(fisher));
           },
           .expected = std::vector<double>(9),
           .tolerance = 1e-3};  // a mean of 1000 leaves f32 few digits for the spread
  fisher_reference(doubles(scores), 3, 0.01F, one.expected);
  return {one};
}

namespace {

TEST(Fisher, OfTwoOppositeScoresIsTwiceTheirOuterProductAndDamping) {
  const auto device = testing::opened("opencl");
  auto fisher = good(Fisher::make(*device, {.parameters = 2, .window = 2, .damping = 0.5F}));
  good(fisher.add(Floats{1, 2}));
  good(fisher.add(Floats{-1, -2}));
  Floats matrix(4);
  good(fisher.matrix(matrix));
  EXPECT_EQ(matrix, (Floats{2.5F, 4, 4, 8.5F}));
}

TEST(Fisher, IsTheIdentityWhileThereAreFewerSamplesThanParameters) {
  const auto device = testing::opened("opencl");
  auto fisher = good(Fisher::make(*device, three_of_twelve));
  EXPECT_EQ(matrix_of(fisher), identity);
  add_all(fisher, scores_of(2, 3));
  EXPECT_TRUE(fisher.is_identity());
  EXPECT_EQ(matrix_of(fisher), identity);
  Floats step(3);
  good(fisher.natural_step(0.5F, Floats{2, -4, 6}, step));
  EXPECT_EQ(step, (Floats{-1, 2, -3}));
  add_all(fisher, scores_of(1, 4));
  EXPECT_FALSE(fisher.is_identity());
  EXPECT_NE(matrix_of(fisher), identity);
}

TEST(Fisher, ForgetsScoresThatLeftTheWindow) {
  const auto device = testing::opened("opencl");
  auto fisher = good(Fisher::make(*device, three_of_twelve));
  add_all(fisher, Floats{1e4F, -1e4F, 1e4F, 0, 0, 7e4F});
  const Floats latest = scores_of(12, 9);
  add_all(fisher, latest);
  EXPECT_EQ(fisher.samples(), 12U);
  std::vector<double> expected(9);
  fisher_reference(doubles(latest), 3, 0.01F, expected);
  const Floats matrix = matrix_of(fisher);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(matrix[i], expected[i], 1e-3) << i;
}

TEST(Fisher, IsSymmetricToTheBit) {
  const auto device = testing::opened("opencl");
  auto fisher = good(Fisher::make(*device, three_of_twelve));
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    add_all(fisher, scores_of(3, seed));
    const Floats matrix = matrix_of(fisher);
    EXPECT_EQ(matrix[1], matrix[3]);
    EXPECT_EQ(matrix[2], matrix[6]);
    EXPECT_EQ(matrix[5], matrix[7]);
  }
}

TEST(Fisher, StepsByTheInverseRoot) {
  const auto device = testing::opened("opencl");
  auto fisher = good(Fisher::make(*device, three_of_twelve));
  add_all(fisher, scores_of(12, 7));
  const Floats matrix = matrix_of(fisher);
  const Eigen::Matrix3d f = Eigen::Map<const Eigen::Matrix3f>(matrix.data()).cast<double>();
  const Eigen::Vector3d g(1, -2, 0.5);
  const Eigen::Vector3d expected =
      -0.1 * Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(f).operatorInverseSqrt() * g;
  Floats step(3);
  good(fisher.natural_step(0.1F, Floats{1, -2, 0.5F}, step));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(step[static_cast<std::size_t>(i)], expected[i], 1e-6);
}

TEST(Fisher, StepsByTheInverse) {
  const auto device = testing::opened("opencl");
  auto fisher = good(Fisher::make(*device, three_of_twelve));
  Floats step(3);
  good(fisher.exact_step(0.5F, Floats{2, -4, 6}, step));
  EXPECT_EQ(step, (Floats{-1, 2, -3})) << "the identity, without samples";
  add_all(fisher, scores_of(12, 7));
  const Floats matrix = matrix_of(fisher);
  const Eigen::Matrix3d f = Eigen::Map<const Eigen::Matrix3f>(matrix.data()).cast<double>();
  const Eigen::Vector3d expected = -0.1 * f.inverse() * Eigen::Vector3d(1, -2, 0.5);
  good(fisher.exact_step(0.1F, Floats{1, -2, 0.5F}, step));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(step[static_cast<std::size_t>(i)], expected[i], 1e-5);
}

TEST(Fisher, RefusesToStepByAnInverseThatLostItsDigits) {
  const auto device = testing::opened("reference");
  auto fisher = good(Fisher::make(*device, {.parameters = 2, .window = 2, .damping = 1e-6F}));
  good(fisher.add(Floats{1, 1}));
  good(fisher.add(Floats{-1, -1}));
  Floats step(2);
  const std::string message = message_of(fisher.exact_step(0.1F, Floats{1, 1}, step));
  EXPECT_TRUE(message.starts_with("fisher: the matrix is ")) << message;
  EXPECT_TRUE(message.ends_with("; damping is 1e-06 and must be larger")) << message;
}

TEST(Fisher, RefusesBadInputByNameAndNumber) {
  EXPECT_EQ(message_of(fisher_program({.parameters = 0})),
            "fisher: parameters is 0; it must be at least 1");
  EXPECT_EQ(message_of(fisher_program({.parameters = 70000})),
            "fisher: parameters * parameters = 70000 * 70000 elements is over 4294967295");
  EXPECT_EQ(message_of(fisher_program({.parameters = 5, .window = 4})),
            "fisher: window is 4; it must be at least 5: with fewer samples than parameters, or "
            "fewer than 2, there is no estimate");
  EXPECT_EQ(message_of(fisher_program({.parameters = 5, .damping = 0})),
            "fisher: damping is 0; it must be above 0");
  const auto device = testing::opened("reference");
  auto fisher = good(Fisher::make(*device, three_of_twelve));
  EXPECT_EQ(message_of(fisher.add(Floats{1, 2})), "fisher: score has 2 elements; it must have 3");
  EXPECT_EQ(message_of(fisher.add(Floats{1, NAN, 2})),
            "fisher: score[1] is nan; it must be finite");
  Floats four(4);
  EXPECT_EQ(message_of(fisher.matrix(four)), "fisher: fisher has 4 elements; it must have 9");
}

TEST(Fisher, AllocatesNothingAfterItsFirstStep) {
  testing::CountingDevice device(testing::opened("opencl"));
  auto fisher = good(Fisher::make(device, three_of_twelve));
  add_all(fisher, random_floats(36, 1));
  const Floats score = {0.5F, -0.5F, 1};
  Floats step(3);
  EXPECT_EQ(testing::steady_allocations(device,
                                        [&] {
                                          good(fisher.add(score));
                                          good(fisher.natural_step(0.1F, score, step));
                                          good(fisher.exact_step(0.1F, score, step));
                                        }),
            0U);
}

}  // namespace
}  // namespace vyre::primitives
