#include "cli/options.h"

#include <gtest/gtest.h>

namespace vyre::cli {
namespace {

using namespace std::chrono_literals;

TEST(Budget, IsATimeInAnyUnitOrANumberOfEvaluations) {
  EXPECT_EQ(parse_budget("500ms")->time, 500ms);
  EXPECT_EQ(parse_budget("30s")->time, 30s);
  EXPECT_EQ(parse_budget("1.5m")->time, 90s);
  EXPECT_EQ(parse_budget("2h")->time, 2h);
  EXPECT_EQ(parse_budget("30s")->evaluations, Budget().evaluations);
  EXPECT_EQ(parse_budget("200")->evaluations, 200U);
  EXPECT_EQ(parse_budget("200")->time, Budget().time);
}

TEST(FloatTolerance, IsARelativeErrorAndPerhapsAnAbsoluteOne) {
  EXPECT_EQ(parse_tolerance("1e-4")->relative, 1e-4);
  EXPECT_EQ(parse_tolerance("1e-4")->absolute, 0);
  EXPECT_EQ(parse_tolerance("0,0.5")->absolute, 0.5);
  for (const char* text : {"", "x", "1e-4,", ",1", "-1", "1,-1", "nan", "1%", "inf", "1,2,3"}) {
    EXPECT_FALSE(parse_tolerance(text)) << text;
  }
}

TEST(Budget, RefusesWhatIsNeither) {
  for (const char* text : {"", "0", "-1", "1.5", "nan", "inf", "5x", "30 s", "25h", "1e300s"}) {
    EXPECT_FALSE(parse_budget(text)) << text;
  }
}

}  // namespace
}  // namespace vyre::cli
