// The bound on what an enumeration costs: counted steps, so that all of this is the same
// everywhere.
#include "space/work.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "space/definitions.h"
#include "vyre/space/enumerate.h"

namespace vyre::space {
namespace {

constexpr std::size_t wide = 60;

// 60 parameters with values 1 .. 4 in one constraint: 4^60 combinations, and nothing to prune by
// before all are bound.
Definition sums_to(const std::string& relation) {
  std::vector<Parameter> parameters;
  std::string sum = "p0";
  for (std::size_t p = 0; p < wide; ++p) {
    parameters.push_back({fmt::format("p{}", p), integers(1, 4)});
    if (p > 0) sum += fmt::format(" + p{}", p);
  }
  return defined(parameters, {fmt::format("{} {}", sum, relation)});
}

// How many of the combinations have this sum, by convolution.
double ways(std::size_t sum) {
  std::vector<double> counts = {1};
  for (std::size_t p = 0; p < wide; ++p) {
    std::vector<double> next(counts.size() + 4, 0);
    for (std::size_t s = 0; s < counts.size(); ++s) {
      for (std::size_t value = 1; value <= 4; ++value) next[s + value] += counts[s];
    }
    counts = next;
  }
  return counts[sum];
}

TEST(Work, ASpaceThatCannotBeEnumeratedIsSampledWithinTheBound) {
  const auto made = enumerate(sums_to("== 150"), 300'000'000);
  ASSERT_TRUE(made) << to_string(made.error());
  ASSERT_TRUE(made->sampled_from);
  EXPECT_NEAR(*made->sampled_from / ways(150), 1, 0.05);
  EXPECT_GT(made->space.size(), 1'000U);
  EXPECT_LT(made->space.size(), 100'000U);  // all that could be drawn with so little
  for (Index i = 0; i < made->space.size(); i += 97) {
    std::int64_t sum = 0;
    for (const Value& value : made->space.values(i)) sum += std::get<std::int64_t>(value);
    EXPECT_EQ(sum, 150);
  }
  const auto again = enumerate(sums_to("== 150"), 300'000'000);
  EXPECT_EQ(again->space.size(), made->space.size());
  EXPECT_EQ(again->space.key(77), made->space.key(77));
}

TEST(Work, WhereNothingIsDrawnEitherTheErrorNamesTheConstraintAndWhatToDo) {
  const auto made = enumerate(sums_to("<= 62"), 50'000'000);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::limit);
  const std::string& message = made.error().message;
  EXPECT_NE(message.find("none of"), std::string::npos) << message;
  EXPECT_NE(message.find("p0 + p1 + p2"), std::string::npos) << message;
  EXPECT_NE(message.find("fewer parameters each"), std::string::npos) << message;
}

// The one that never holds, not the first or the last.
TEST(Work, TheConstraintThatHoldsLeastOftenIsNamed) {
  std::vector<Parameter> parameters;
  std::vector<std::string> sums(3, "0");
  for (std::size_t p = 0; p < wide; ++p) {
    parameters.push_back({fmt::format("p{}", p), integers(1, 4)});
    for (std::size_t c = 0; c < 3; ++c) {
      if (p != c) sums[c] += fmt::format(" + p{}", p);  // different parameters: different checks
    }
  }
  const auto made = enumerate(
      defined(parameters, {"1 != " + sums[0], "2 > " + sums[1], "3 != " + sums[2]}), 50'000'000);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("\"2 > 0"), std::string::npos) << made.error().message;
  EXPECT_NE(made.error().message.find("holds for 0 of them"), std::string::npos);
}

TEST(Work, ABoundThatIsEnoughChangesNothing) {
  const Definition small = defined(
      {{"x", integers(1, 100)}, {"y", integers(1, 100)}, {"z", integers(0, 1)}}, {"x * y < 200"});
  const auto whole = enumerate(small);
  const auto bounded = enumerate(small, 1'000'000);
  ASSERT_TRUE(whole && bounded);
  EXPECT_FALSE(bounded->sampled_from);
  ASSERT_EQ(bounded->space.size(), whole->space.size());
  std::size_t expected = 0;
  for (int x = 1; x <= 100; ++x) {
    for (int y = 1; y <= 100; ++y) expected += x * y < 200 ? 2 : 0;
  }
  EXPECT_EQ(whole->space.size(), expected);
}

TEST(Work, AConstraintThatIsDearToEvaluateIsRefusedByName) {
  const std::string dear = "sum([i for i in range(200 * x)]) > y";
  const auto made =
      enumerate(defined({{"x", integers(1, 100)}, {"y", integers(1, 100)}}, {dear}), 10'000'000);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "the constraints take more than 10000000 steps to test on some combinations; the last "
            "was \"" +
                dear + "\": write shorter lists or fewer constraints");
  // Of one parameter, where every value is tested.
  EXPECT_FALSE(enumerate(
      defined({{"x", integers(1, 100)}}, {"sum([i for i in range(200 * x)]) > x"}), 10'000'000));
}

TEST(Work, AThousandParametersInOneChainAreEnumerated) {
  std::vector<Parameter> parameters;
  std::vector<std::string> constraints;
  for (std::size_t p = 0; p < max_parameters; ++p) {
    parameters.push_back({fmt::format("p{}", p), integers(1, 3)});
    if (p > 0) constraints.push_back(fmt::format("p{} == p{}", p - 1, p));
  }
  const auto made = enumerate(defined(parameters, constraints));
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->space.size(), 3U);
  EXPECT_FALSE(made->sampled_from);
}

TEST(Work, TheNumberOfConstraintsIsBounded) {
  const std::vector<std::string> some(max_constraints, "x > 0");
  EXPECT_TRUE(define({{"x", integers(1, 3)}}, some));
  std::vector<std::string> more = some;
  more.emplace_back("x > 1");
  const auto refused = define({{"x", integers(1, 3)}}, more);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "a space has at most 4096 constraints, not 4097");
}

TEST(Work, IsExhaustedByOneStepOverItsLimitAndNeverWrapsAround) {
  Work work(10);
  work.spend(10);
  EXPECT_FALSE(work.exhausted());
  EXPECT_EQ(work.left(), 0U);
  work.spend(1);
  EXPECT_TRUE(work.exhausted());
  work.spend(std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(work.exhausted());
  EXPECT_EQ(work.left(), 0U);
  Work large(std::numeric_limits<std::uint64_t>::max() - 1);
  large.spend(1'000, 1e300);
  EXPECT_FALSE(large.exhausted());
}

}  // namespace
}  // namespace vyre::space
