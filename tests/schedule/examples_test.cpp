#include "schedule/examples.h"

#include <gtest/gtest.h>

#include "vyre/schedule/schedule.h"

namespace vyre::schedule {
namespace {

Example sample() {
  Example made{.program = "row_sums", .gain = 7.5, .features = {}, .configuration = {}};
  made.features.values[1] = 11.25;
  made.configuration = {{"wg_x", std::int64_t{8}}, {"order", std::string("jammed")}};
  return made;
}

TEST(Examples, AsTextReadBackAsThemselves) {
  const std::string text = "# from nowhere\n\n" + to_string(sample()) + "\n" + to_string(sample());
  const auto read = parse_examples(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, (std::vector<Example>{sample(), sample()}));
}

TEST(Examples, AnExampleThatCannotBeReadIsNamedByItsLine) {
  const std::string good = to_string(sample());
  for (const std::string& bad : {std::string("fast row_sums"), "0" + good.substr(3),
                                 good.substr(0, good.rfind('|') - 9), good + " wg_y"}) {
    const auto read = parse_examples(good + "\n" + bad + "\n");
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().place.line, 2U) << bad;
  }
}

TEST(Examples, ThatTheLibraryComesWithGainAndSetParametersOfSchedules) {
  EXPECT_FALSE(learned_examples().empty());
  for (const Example& example : learned_examples()) {
    EXPECT_GT(example.gain, 1) << example.program;
    Schedule schedule;
    for (const auto& [name, value] : example.configuration) {
      EXPECT_TRUE(schedule.set(name, space::to_string(value))) << example.program << ": " << name;
    }
  }
}

}  // namespace
}  // namespace vyre::schedule
