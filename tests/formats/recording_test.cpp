// What names of failures and odd times mean, and what becomes of rows.
#include "formats/recording.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vyre::formats {
namespace {

using space::Value;

TEST(Failures, TheNamesThatTunersWriteHaveTheirVerdicts) {
  for (const auto& [name, verdict] : {
           std::pair("CompilationFailedConfig", Verdict::compile),
           {"compile", Verdict::compile},
           {"RuntimeFailedConfig", Verdict::runtime},
           {"runtime", Verdict::runtime},
           {"InvalidConfig", Verdict::constraints},
           {"constraints", Verdict::constraints},
           {"SkippableFailure", Verdict::constraints},
           {"timeout", Verdict::timeout},
           {"Timeout", Verdict::timeout},
           {"TimedOut", Verdict::timeout},
           {"VerificationFailed", Verdict::correctness},
           {"verification", Verdict::correctness},
           {"Incorrect", Verdict::correctness},
           {"correctness", Verdict::correctness},
           {"who knows", Verdict::runtime},
           {"", Verdict::runtime},
       }) {
    EXPECT_EQ(failure_named(name), verdict) << name;
  }
}

TEST(Failures, ATimeIsPositiveFiniteAndBelowTheMarkOfOldCaches) {
  const auto with = [](const Value& value) {
    Measurement made;
    set_time(made, value);
    return made;
  };
  EXPECT_EQ(with(2.5), (Measurement{Verdict::correct, 2.5, {}}));
  EXPECT_EQ(with(std::int64_t{3}), (Measurement{Verdict::correct, 3, {}}));
  EXPECT_EQ(with(1e19), (Measurement{Verdict::correct, 1e19, {}}));
  for (const double odd : {1e20, 1e21, 0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(with(odd), (Measurement{Verdict::runtime, 0, {}})) << odd;
  }
  EXPECT_EQ(with("InvalidConfig").verdict, Verdict::constraints);
}

Recorded recorded(Recording& recording) {
  auto made = recording.finish("n");
  EXPECT_TRUE(made) << to_string(made.error());
  return *std::move(made);
}

TEST(Recording, KeepsTheOrderOfValuesThatAreListedAndSortsOthersIfTheyAreNumbers) {
  Recording recording;
  recording.parameters = {{"listed", {Value(3), Value(1)}}, {"numbers", {}}, {"words", {}}};
  for (const auto& [a, b, c] : {std::tuple(1, 30, "z"), {3, 4, "a"}, {2, 5, "z"}}) {
    recording.add({Value(a), Value(b), Value(c)}, {.time_ms = 1.0 * b});
  }
  const Recorded made = recorded(recording);
  EXPECT_EQ(made.space.parameters()[0].values, (std::vector<Value>{3, 1, 2}));
  EXPECT_EQ(made.space.parameters()[1].values, (std::vector<Value>{4, 5, 30}));
  EXPECT_EQ(made.space.parameters()[2].values, (std::vector<Value>{"z", "a"}));
  EXPECT_EQ(made.space.key(0), "1,30,z");
  EXPECT_EQ(made.space.key(2), "2,5,z");
  EXPECT_EQ(made.measurements[2].time_ms, 5);
}

// 1, 1.0 and True are one value, "1" is another.
TEST(Recording, ValuesThatPythonCallsEqualAreOne) {
  Recording recording;
  recording.parameters = {{"x", {}}};
  for (const Value& value : {Value(1), Value(1.0), Value(true), Value("1"), Value(1.5)}) {
    recording.add({value}, {.time_ms = 1});
  }
  EXPECT_EQ(recorded(recording).space.size(), 3U);
}

TEST(Recording, OfAConfigurationThatIsThereTwiceTheLastCountsInThePlaceOfTheFirst) {
  Recording recording;
  recording.parameters = {{"x", {}}};
  for (const auto& [x, time] : {std::pair(1, 3.0), {2, 4.0}, {1, 5.0}}) {
    recording.add({Value(x)}, {.time_ms = time});
  }
  const Recorded made = recorded(recording);
  ASSERT_EQ(made.space.size(), 2U);
  EXPECT_EQ(made.space.key(0), "1");
  EXPECT_EQ(made.measurements[0].time_ms, 5);
  EXPECT_EQ(made.measurements[1].time_ms, 4);
}

TEST(Recording, WithoutParametersItIsRefused) {
  Recording none;
  EXPECT_FALSE(none.finish("n"));
  Recording twice;
  twice.parameters = {{"x", {}}, {"x", {}}};
  EXPECT_FALSE(twice.finish("n"));
}

}  // namespace
}  // namespace vyre::formats
