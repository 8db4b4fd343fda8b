#include "space/sample.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "space/definitions.h"
#include "vyre/space/enumerate.h"

namespace vyre::space {
namespace {

std::set<std::string> distinct_keys(const Space& space) {
  std::set<std::string> made;
  for (Index i = 0; i < space.size(); ++i) made.insert(space.key(i));
  return made;
}

TEST(Sample, ASmallSpaceIsDrawnWhole) {
  const Definition small = defined(
      {{"x", integers(1, 9)}, {"y", integers(1, 9)}, {"z", integers(0, 1)}}, {"x * y < 20"});
  const auto drawn = sample(small);
  ASSERT_TRUE(drawn);
  const auto all = enumerate(small);
  ASSERT_TRUE(all);
  EXPECT_EQ(distinct_keys(drawn->space), distinct_keys(all->space));
  EXPECT_EQ(drawn->estimated_size, all->space.size());
}

TEST(Sample, ASeedDrawsTheSameAgainAndAnotherDoesNot) {
  const Definition wide = defined({{"x", integers(1, 1000)}, {"y", integers(1, 1000)}}, {"x != y"});
  const auto first = sample(wide, {.count = 50, .seed = 1});
  const auto again = sample(wide, {.count = 50, .seed = 1});
  const auto other = sample(wide, {.count = 50, .seed = 2});
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(distinct_keys(first->space), distinct_keys(again->space));
  EXPECT_NE(distinct_keys(first->space), distinct_keys(other->space));
}

TEST(Sample, EmptySpacesAreEmptyAndHopelessOnesAnError) {
  const auto none = sample(defined({{"x", integers(1, 3)}, {"y", integers(1, 3)}}, {"x + y > 9"}));
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->space.empty());
  EXPECT_EQ(none->estimated_size, 0);

  std::vector<Parameter> many;
  std::string sum = "0";
  for (int p = 0; p < 12; ++p) {
    many.push_back({"p" + std::to_string(p), integers(1, 100)});
    sum += " + p" + std::to_string(p);
  }
  EXPECT_FALSE(sample(defined(many, {sum + " == 12"}), {.count = 10, .most_work = 50'000'000}));
}

// Sixteen parameters with ten values in one chain: 10^16 combinations. In a uniform draw every
// parameter's values have the shares that counting the chain gives.
TEST(Sample, AHugeSpaceIsDrawnUniformlyAndItsSizeEstimated) {
  constexpr int length = 16;
  std::vector<Parameter> parameters;
  std::vector<std::string> constraints;
  for (int p = 0; p < length; ++p) {
    parameters.push_back({"p" + std::to_string(p), integers(1, 10)});
    if (p > 0) constraints.push_back(fmt::format("p{} * p{} <= 60", p - 1, p));
  }
  const auto drawn = sample(defined(parameters, constraints), {.count = 20'000, .seed = 3});
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  ASSERT_EQ(drawn->space.size(), 20'000);

  // ways[p][v]: valid beginnings that end with value v; the chain is the same from both ends.
  std::vector<std::map<int, double>> ways(length);
  for (int v = 1; v <= 10; ++v) ways[0][v] = 1;
  for (std::size_t p = 1; p < length; ++p) {
    for (int v = 1; v <= 10; ++v) {
      for (int u = 1; u <= 10; ++u) ways[p][v] += u * v <= 60 ? ways[p - 1][u] : 0;
    }
  }
  double total = 0;
  for (int v = 1; v <= 10; ++v) total += ways[length - 1][v];
  EXPECT_NEAR(drawn->estimated_size / total, 1, 0.1);

  for (std::size_t p = 0; p < length; ++p) {
    std::map<Digit, double> counts;
    for (Index i = 0; i < drawn->space.size(); ++i) counts[drawn->space.digit(i, p)] += 1;
    for (int v = 1; v <= 10; ++v) {
      const double share = ways[p][v] * ways[length - 1 - p][v] / total;
      const double expected = share * 20'000;
      EXPECT_NEAR(counts[static_cast<Digit>(v - 1)], expected, 5 * std::sqrt(expected))
          << p << " " << v;
    }
  }
}

}  // namespace
}  // namespace vyre::space
