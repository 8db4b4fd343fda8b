#include "vyre/tune/options.h"

#include <gtest/gtest.h>

namespace vyre::tune {
namespace {

TEST(Mode, OnSweepsTheCandidates) { EXPECT_EQ(mode_of("on").mode, Mode::sweep); }

TEST(Mode, NaturalAndNgAndNothingUseThePolicy) {
  EXPECT_EQ(mode_of("natural").mode, Mode::natural);
  EXPECT_EQ(mode_of("ng").mode, Mode::natural);
  EXPECT_EQ(mode_of(std::nullopt).mode, Mode::natural);
}

TEST(Mode, OffAndDefaultUseTheStore) {
  EXPECT_EQ(mode_of("off").mode, Mode::stored);
  EXPECT_EQ(mode_of("default").mode, Mode::stored);
}

TEST(Mode, AnotherWordActsAsUnsetAndTheWarningNamesTheAcceptedOnes) {
  for (const char* word : {"ON", "", "1", "fast"}) {
    const ModeChoice choice = mode_of(word);
    EXPECT_EQ(choice.mode, Mode::natural);
    EXPECT_EQ(choice.warning, "VYRE_AUTOTUNER is '" + std::string(word) +
                                  "'; it can be on, natural, ng, live, off or default. It is taken "
                                  "as if it were not set: natural");
  }
  EXPECT_EQ(mode_of("ng").warning, "");
  EXPECT_EQ(mode_of(std::nullopt).warning, "");
}

TEST(Mode, WhereItIsNotSetTheCallerSaysWhatItIs) {
  EXPECT_EQ(mode_of("live").mode, Mode::live);
  EXPECT_EQ(mode_of(std::nullopt, Mode::live).mode, Mode::live);
  const auto choice = mode_of("alive", Mode::live);
  EXPECT_EQ(choice.mode, Mode::live);
  EXPECT_TRUE(choice.warning.ends_with("not set: live")) << choice.warning;
}

}  // namespace
}  // namespace vyre::tune
