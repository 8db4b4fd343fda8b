#include "vyre/space/space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace vyre::space {
namespace {

std::vector<Value> these(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

// x in 1, 2, 4; mode in "slow", "fast"; fixed 7. All but (2, slow).
Space five() {
  const std::vector<Digit> rows = {0, 0, 0, 0, 1, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0};
  auto made = Space::of(
      {{"x", these({1, 2, 4})}, {"mode", {Value("slow"), Value("fast")}}, {"fixed", these({7})}},
      rows);
  EXPECT_TRUE(made);
  return *made;
}

TEST(Space, AnIndexGivesItsConfigurationAndTheConfigurationItsIndex) {
  const Space space = five();
  ASSERT_EQ(space.size(), 5);
  for (Index i = 0; i < space.size(); ++i) {
    EXPECT_EQ(space.find(space.digits(i)), i);
    EXPECT_EQ(space.find(space.values(i)), i);
  }
  EXPECT_EQ(space.key(2), "2,fast,7");
  EXPECT_EQ(space.digit(4, 0), 2);
}

TEST(Space, AConfigurationOutsideIsNotFound) {
  const Space space = five();
  EXPECT_FALSE(space.find(std::vector<Digit>{1, 0, 0}));
  EXPECT_FALSE(space.find(std::vector<Digit>{9, 0, 0}));
  EXPECT_FALSE(
      space.find(std::vector<Value>{std::int64_t{3}, std::string("slow"), std::int64_t{7}}));
}

TEST(Space, ValuesAreFoundAsPythonComparesThem) {
  const Space space = five();
  EXPECT_EQ(space.find(std::vector<Value>{4.0, std::string("fast"), 7.0}), 4);
  EXPECT_EQ(space.find(std::vector<Value>{true, std::string("slow"), 7.0}), 0);
}

TEST(Space, NeighboursDifferInOneParameter) {
  const Space space = five();
  EXPECT_EQ(space.neighbours(0), (std::vector<Index>{1, 3}));
  EXPECT_EQ(space.neighbours(2), (std::vector<Index>{1, 4}));
}

TEST(Space, ASpaceMayBeEmptyOrHoldOneConfiguration) {
  const auto none = Space::of({{"x", these({1, 2})}}, {});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  EXPECT_FALSE(none->find(std::vector<Digit>{0}));

  const auto one = Space::of({{"x", these({5})}}, std::vector<Digit>{0});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->size(), 1);
  EXPECT_EQ(one->key(0), "5");
  EXPECT_EQ(one->neighbours(0), std::vector<Index>{});
}

TEST(Space, WhatIsNotASpaceIsRefused) {
  EXPECT_FALSE(Space::of({}, {}));
  EXPECT_FALSE(Space::of({{"", these({1})}}, {}));
  EXPECT_FALSE(Space::of({{"x", these({1})}, {"x", these({1})}}, {}));
  EXPECT_FALSE(Space::of({{"x", these({1})}}, std::vector<Digit>{1}));
  EXPECT_FALSE(Space::of({{"x", these({1, 2})}}, std::vector<Digit>{1, 1}));
  EXPECT_FALSE(Space::of({{"x", these({1})}, {"y", these({1})}}, std::vector<Digit>{0}));
}

TEST(Space, AMillionConfigurationsWithThreeHundredValuesAreFoundAgain) {
  std::vector<Value> many;
  for (std::int64_t i = 0; i < 300; ++i) many.emplace_back(i);
  std::vector<Digit> rows;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) {
    for (const std::uint32_t digit : {i % 300, i / 300 % 300, i / 90'000}) {
      rows.push_back(static_cast<Digit>(digit));
    }
  }
  const auto space = Space::of({{"x", many}, {"y", many}, {"z", many}}, rows);
  ASSERT_TRUE(space);
  for (Index i = 0; i < space->size(); i += 997) EXPECT_EQ(space->find(space->digits(i)), i);
  EXPECT_LT(space->bytes(), 16'000'000);
}

TEST(Value, TextIsPythons) {
  EXPECT_EQ(to_string(Value(std::int64_t{-3})), "-3");
  EXPECT_EQ(to_string(Value(2.0)), "2.0");
  EXPECT_EQ(to_string(Value(0.1)), "0.1");
  EXPECT_EQ(to_string(Value(1e-5)), "1e-05");
  EXPECT_EQ(to_string(Value(1e16)), "1e+16");
  EXPECT_EQ(to_string(Value(-std::numeric_limits<double>::quiet_NaN())), "nan");
  EXPECT_EQ(to_string(Value(true)), "True");
  EXPECT_EQ(to_string(Value(std::string("abc"))), "abc");
}

TEST(Value, ARepeatedValueCountsOnce) {
  const auto made = checked({{"x", {Value(std::int64_t{1}), Value(1.0), Value(true), Value(2.5)}}});
  ASSERT_TRUE(made);
  EXPECT_EQ((*made)[0].values.size(), 2);
}

}  // namespace
}  // namespace vyre::space
