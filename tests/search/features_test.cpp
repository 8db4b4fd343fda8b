#include "search/features.h"

#include <gtest/gtest.h>

#include "search/grid.h"

namespace vyre::search {
namespace {

// Feature `f` of each configuration of a space.
std::vector<float> feature(const Features& features, const space::Space& space, std::size_t f) {
  std::vector<float> all;
  for (const space::Index index : all_of(space)) all.push_back(features.at(index, f));
  return all;
}

// The only feature of a space with one parameter of these values.
std::vector<float> only_feature(const std::vector<space::Value>& values) {
  const space::Space space = grid({values});
  const Features features(space, {});
  EXPECT_EQ(features.count(), 1U);
  return feature(features, space, 0);
}

TEST(Features, PositiveNumbersGiveTheirLogarithmFromZeroToOne) {
  EXPECT_EQ(only_feature({1, 4, 16}), (std::vector<float>{0, 0.5, 1}));
  EXPECT_EQ(only_feature({0.25, 4.0, 1.0}), (std::vector<float>{0, 1, 0.5}));
}

TEST(Features, NumbersThatHaveNoLogarithmGiveTheirRank) {
  EXPECT_EQ(only_feature({0, 1, 100}), (std::vector<float>{0, 0.5, 1}));
  EXPECT_EQ(only_feature({7, -3, 0}), (std::vector<float>{1, 0, 0.5}));
  EXPECT_EQ(only_feature({true, false}), (std::vector<float>{1, 0}));
}

TEST(Features, AlignmentIsOneOnlyWhereItDoesNotFollowFromTheOrder) {
  EXPECT_EQ(only_feature({1, 2, 4, 8}).size(), 4U);
  const space::Space steps = grid({{16, 32, 48, 64}});
  const Features features(steps, {});
  ASSERT_EQ(features.count(), 2U);
  EXPECT_EQ(feature(features, steps, 1), (std::vector<float>{0, 0.5, 0, 1}));  // 48 = 3 * 16
  EXPECT_EQ(Features(steps, {.alignment = false}).count(), 1U);
}

TEST(Features, AlignmentNeedsFourWholeNumbersFromOneOn) {
  EXPECT_EQ(Features(grid({{16, 32, 48}}), {}).count(), 1U);
  EXPECT_EQ(Features(grid({{0, 32, 48, 64}}), {}).count(), 1U);
  EXPECT_EQ(Features(grid({{1.5, 2.0, 3.0, 4.0}}), {}).count(), 1U);
  EXPECT_EQ(Features(grid({{1, 3, 2, 4}}), {}).count(), 2U);  // 3 is odd, between two even ones
  EXPECT_EQ(Features(grid({{8, 1, 4, 2}}), {}).count(), 1U);  // the order of the list is not it
  EXPECT_EQ(Features(grid({{1.0, 2.0, 3.0, 4.0}}), {}).count(), 2U);
}

TEST(Features, TwoWordsAreOneFeatureAndMoreAreOneEach) {
  EXPECT_EQ(only_feature({"fast", "slow"}), (std::vector<float>{1, 0}));
  const space::Space three = grid({{"a", "b", "c"}});
  const Features features(three, {});
  ASSERT_EQ(features.count(), 3U);
  EXPECT_EQ(feature(features, three, 1), (std::vector<float>{0, 1, 0}));
  EXPECT_EQ(Features(grid({{"a", "b", "c", "d", "e", "f", "g", "h"}}), {}).count(), 8U);
  EXPECT_EQ(Features(grid({{"a", "b", "c", "d", "e", "f", "g", "h", "i"}}), {}).count(), 1U);
  EXPECT_EQ(Features(grid({{"a", 1, 2}}), {}).count(), 3U);  // one word makes all of them words
}

TEST(Features, OverEightWordsGiveTheirRank) {
  std::vector<space::Value> words;
  for (char c = 'a'; c <= 'k'; ++c) words.emplace_back(std::string(1, c));
  const std::vector<float> ranks = only_feature(words);
  EXPECT_FLOAT_EQ(ranks[3], 0.3F);
  EXPECT_FLOAT_EQ(ranks[10], 1);
}

TEST(Features, AParameterWithOneValueHasNone) {
  const space::Space space = grid({{7}, {1, 2}});
  EXPECT_EQ(Features(space, {}).count(), 1U);
  EXPECT_EQ(Features(grid({{7}}), {}).count(), 0U);
}

TEST(Features, WhereOnlySharedValuesCountTheyAreTheDigits) {
  const space::Space space = grid({{1, 4, 16}, {"a", "b"}});
  const Features features(space, {.covariance = CovarianceKind::pairs});
  EXPECT_EQ(features.row(5), (std::vector<float>{2, 1}));
}

}  // namespace
}  // namespace vyre::search
