#include "cli/text.h"

#include <gtest/gtest.h>

namespace vyre::cli {
namespace {

TEST(TimeText, HasFourDigitsAndTheUnitThatFits) {
  EXPECT_EQ(time_text(812), "812 ns");
  EXPECT_EQ(time_text(3'140), "3.140 us");
  EXPECT_EQ(time_text(748'100), "748.1 us");
  EXPECT_EQ(time_text(2.5e9), "2.500 s");
}

TEST(TimeText, WhatRoundsToAThousandIsOneOfTheNextUnit) {
  EXPECT_EQ(time_text(999.4), "999 ns");
  EXPECT_EQ(time_text(999.6), "1.000 us");
}

TEST(EstimateText, HasOneUnitAndNoIntervalWhereNothingIsKnownOfIt) {
  EXPECT_EQ(estimate_text(748'100, {741'000, 760'200}), "748.1 us (741.0 .. 760.2)");
  EXPECT_EQ(estimate_text(748'100, {748'100, 748'100}), "748.1 us");
}

TEST(RatioText, HasThreeDigits) {
  EXPECT_EQ(ratio_text(2.95, {2.9, 3.01}), "2.95 (2.90 .. 3.01)");
  EXPECT_EQ(ratio_text(12.34, {12.34, 12.34}), "12.3");
}

TEST(Table, SetsNumbersToTheRightAndTextToTheLeft) {
  EXPECT_EQ(table({{"NAME", "COUNT"}, {"a", "7"}, {"longer", "1234"}}),
            "NAME    COUNT\n"
            "a           7\n"
            "longer   1234\n");
}

TEST(Table, AColumnWithOneCellThatIsNoNumberIsText) {
  EXPECT_EQ(table({{"N"}, {"12"}, {"-"}}), "N\n12\n-\n");
}

TEST(Table, OfNothingIsEmpty) { EXPECT_EQ(table({}), ""); }

}  // namespace
}  // namespace vyre::cli
