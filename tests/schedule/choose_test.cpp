#include "learn/choose.h"

#include <gtest/gtest.h>

namespace vyre::learn {
namespace {

TEST(LearnedChoice, CountsTheBestOfTheFirstDistinctMembers) {
  const Trials trials = {{{0, 7, 2}, {1, 7, 2}, {2, 8, 3}, {3, 9, 5}}, {{0, 1, 0.5}}, {}};
  const std::vector<bool> all(4, true);
  EXPECT_EQ(left_out_gains(trials, all, 2), (std::vector<double>{3, 1, 1}));
  EXPECT_EQ(left_out_gains(trials, all, 3), (std::vector<double>{5, 1, 1}));
  EXPECT_EQ(left_out_gains(trials, {true, true, false, true}, 2), (std::vector<double>{5, 1, 1}));
}

TEST(LearnedChoice, KeepsWhatOthersGainBy) {
  const Trials trials = {{{1, 4, 8}}, {{0, 5, 2}, {2, 6, 4}}, {{0, 7, 1}, {1, 8, 0}}};
  EXPECT_EQ(choose(trials, 3), (std::vector<bool>{false, true, true}));
}

TEST(LearnedChoice, IsByGeometricMeans) {
  EXPECT_DOUBLE_EQ(geometric_mean({2, 8}), 4);
  EXPECT_EQ(geometric_mean({}), 1);
}

}  // namespace
}  // namespace vyre::learn
