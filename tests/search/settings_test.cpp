#include "search/settings.h"

#include <gtest/gtest.h>

namespace vyre::search {
namespace {

TEST(Settings, NothingChangesNothing) {
  const auto same = parse_settings("", {.start = 9});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->start, 9U);
  EXPECT_EQ(same->pool, Settings{}.pool);
}

TEST(Settings, EachNameChangesItsOwn) {
  const auto read = parse_settings(
      "start=12,local=0,fisher=off,alignment=off,features=pairs,choose=sample,cost=0.25,"
      "sharpness=2,pool=64",
      {});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->start, 12U);
  EXPECT_EQ(read->local, 0U);
  EXPECT_FALSE(read->fisher);
  EXPECT_FALSE(read->alignment);
  EXPECT_EQ(read->covariance, CovarianceKind::pairs);
  EXPECT_EQ(read->acquisition, Acquisition::sample);
  EXPECT_EQ(read->cost_power, 0.25);
  EXPECT_EQ(read->sharpness, 2);
  EXPECT_EQ(read->pool, 64U);
}

TEST(Settings, OfTwoWithOneNameTheLastCounts) {
  EXPECT_EQ(parse_settings("start=3,start=4", {})->start, 4U);
}

TEST(Settings, TheEndsOfTheRangesAreAllowed) {
  const auto read = parse_settings("start=1,local=0,pool=32,cost=0,sharpness=100", {});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->start, 1U);
  EXPECT_EQ(read->pool, 32U);
  EXPECT_EQ(read->cost_power, 0);
  EXPECT_EQ(read->sharpness, 100);
  EXPECT_EQ(parse_settings("features=singles", {})->covariance, CovarianceKind::singles);
  EXPECT_EQ(parse_settings("features=smooth", {.covariance = CovarianceKind::pairs})->covariance,
            CovarianceKind::smooth);
  EXPECT_EQ(parse_settings("choose=improvement", {.acquisition = Acquisition::sample})->acquisition,
            Acquisition::improvement);
  EXPECT_TRUE(parse_settings("fisher=on", {.fisher = false})->fisher);
}

TEST(Settings, AWrongValueSaysWhatThereIs) {
  EXPECT_EQ(parse_settings("fisher=maybe", {}).error().message,
            "setting 'fisher=maybe': fisher is on or off");
  EXPECT_EQ(parse_settings("features=rough", {}).error().message,
            "setting 'features=rough': features is smooth, pairs or singles");
  for (const char* text : {"start=0", "start=-1", "start=2x", "start=", "pool=31", "cost=nan",
                           "cost=101", "sharpness=-1", "choose=best", "alignment=1"}) {
    EXPECT_FALSE(parse_settings(text, {})) << text;
  }
}

TEST(Settings, AWrongNameSaysWhichThereAre) {
  EXPECT_EQ(parse_settings("speed=9", {}).error().message,
            "setting 'speed=9': it must be NAME=VALUE with a name of start, local, fisher, "
            "alignment, features, choose, cost, sharpness, pool");
  EXPECT_FALSE(parse_settings("start", {}));
  EXPECT_FALSE(parse_settings("start=3,,local=1", {}));
}

}  // namespace
}  // namespace vyre::search
