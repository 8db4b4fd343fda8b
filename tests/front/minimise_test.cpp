#include "vyre/front/minimise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "front/opened.h"

namespace vyre {
namespace {

using testing::must;

space::Space grid() {
  space::Parameter x{"x", {}};
  space::Parameter y{"y", {}};
  for (std::int64_t i = -10; i <= 10; ++i) {
    x.values.emplace_back(i);
    y.values.emplace_back(static_cast<double>(i) / 2);
  }
  return must(make_space({x, y}, {"x + y <= 12"}));
}

double bowl(const Config& config) {
  const double x = config["x"];
  const double y = config["y"];
  return (x - 3) * (x - 3) + (y + 2) * (y + 2);
}

TEST(Minimise, FindsTheLeastOfABowlInFarFewerCallsThanThereAreConfigurations) {
  for (const double shift : {1.0, -50.0}) {  // also where values are not positive
    std::set<space::Index> seen;
    const auto best = must(minimise(grid(), {.evaluations = 60}, [&](const Config& config) {
      EXPECT_TRUE(seen.insert(config.index()).second);
      return bowl(config) + shift;
    }));
    EXPECT_LE(best.value, shift + 1) << best.config.text();
    EXPECT_EQ(best.evaluations.size(), 60U);
    EXPECT_EQ(bowl(best.config) + shift, best.value);
  }
}

TEST(Minimise, GoesOnAfterFailuresAndStopsWhenThereIsNothingLeft) {
  const auto space = must(make_space({{"n", {1, 2, 3, 4}}, {"name", {"a", "b"}}}));
  const auto best =
      must(minimise(space, {.evaluations = 100}, [](const Config& config) -> Result<double> {
        if (std::string(config["name"]) == "a") return fail(ErrorKind::run, "a is broken");
        if (int{config["n"]} == 3) return std::nan("");
        return 10.0 - int{config["n"]};
      }));
  EXPECT_EQ(best.config.text(), "n=4 name=b");
  EXPECT_EQ(best.value, 6.0);
  EXPECT_EQ(best.evaluations.size(), 8U);
}

TEST(Minimise, IsAnErrorIfNothingWorks) {
  const auto space = must(make_space({{"n", {1, 2}}}));
  const auto none = minimise(
      space, {}, [](const Config&) -> Result<double> { return fail(ErrorKind::run, "no"); });
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("every configuration failed"), std::string::npos);
  EXPECT_FALSE(minimise(space, {.evaluations = 0}, bowl));
  EXPECT_FALSE(minimise(space, {.strategy = "guess"}, bowl));
  EXPECT_FALSE(make_space({{"n", {1, 2}}}, {"n > 5"}));
  EXPECT_FALSE(make_space({{"n", {1, 2}}}, {"m > 5"}));
}

TEST(Minimise, AConfigurationConvertsWhereNothingIsLost) {
  const auto space = must(make_space({{"n", {4}}, {"f", {0.5}}, {"b", {true}}, {"s", {"text"}}}));
  const Config config(space, 0);
  EXPECT_EQ(double{config["n"]}, 4.0);
  EXPECT_EQ(float{config["f"]}, 0.5F);
  EXPECT_TRUE(bool{config["b"]});
  EXPECT_EQ(config["s"].text(), "text");
  EXPECT_EQ(config.text(), "n=4 f=0.5 b=True s=text");
  EXPECT_DEATH((void)int{config["f"]}, "0.5 is no integer");
  EXPECT_DEATH((void)config["typo"], "no parameter 'typo'");
}

}  // namespace
}  // namespace vyre
