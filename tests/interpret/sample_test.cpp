// A part of a program's invocations, from all over its grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::Launch;

constexpr const char* each_marks_itself =
    "program p { buffer y: u32[100000] write  grid 1000, 100\n"
    "y[invocation.y * 1000 + invocation.x] = 1 }";
// The whole group writes, after it has met.
constexpr const char* groups_mark_themselves =
    "program p { buffer y: u32[100000] write  shared s: u32[1]  grid 100000  workgroup 100\n"
    "if local.x == 0 { s[0] = 1 }  barrier  y[invocation.x] = s[0] }";

class Sampled : public ::testing::TestWithParam<const char*> {};

TEST_P(Sampled, IsAPartFromAllOverTheGrid) {
  Launch launch(GetParam());
  const auto ran = launch.try_run({.sample = 30'000});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_FALSE(ran->whole);
  const auto y = launch.get<std::uint32_t>("y");
  const auto all = std::reduce(y.begin(), y.end());
  EXPECT_GT(all, 1000U);
  EXPECT_LT(all, 30'000U);
  for (int tenth = 0; tenth < 10; ++tenth) {
    EXPECT_GT(std::count(y.begin() + tenth * 10'000, y.begin() + (tenth + 1) * 10'000, 1U), 0);
  }
}

TEST_P(Sampled, IsAllOfItWhereThatIsNoMore) {
  Launch launch(GetParam());
  const auto ran = launch.try_run({.sample = 10'000'000});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_TRUE(ran->whole);
  const auto y = launch.get<std::uint32_t>("y");
  EXPECT_EQ(std::reduce(y.begin(), y.end()), 100'000U);
}

INSTANTIATE_TEST_SUITE_P(Programs, Sampled,
                         ::testing::Values(each_marks_itself, groups_mark_themselves));

// Whoever wrote first is named by its place in the grid, whenever it ran.
TEST(Sample, ARaceNamesBothInvocations) {
  const Error error = Launch(
                          "program p { buffer y: u32[1] write  grid 1000\n"
                          "if invocation.x == 1 | invocation.x == 900 { y[0] = 1 } }")
                          .error({.sample = 1'000'000});
  EXPECT_NE(error.message.find("invocation (1, 0, 0)"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("invocation (900, 0, 0)"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace vyre::interpret
