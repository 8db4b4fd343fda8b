// What a valid decision is, and which of two is the better one.
#include "vyre/store/decision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "store/samples.h"

namespace vyre::store {
namespace {

using testing::decision;

Decision changed(const std::function<void(Decision&)>& change) {
  Decision made = decision(1);
  change(made);
  return made;
}

TEST(Decision, IsValidInBothForms) {
  EXPECT_TRUE(validate(decision(1)));
  EXPECT_TRUE(validate({.key = {}, .workgroup = {4, 64, 1}, .evidence = {}}));
}

TEST(Decision, IsRefusedWithAReasonForEveryFieldThatIsWrong) {
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, std::function<void(Decision&)>>> wrong = {
      {"workgroup has a 0", [](Decision& d) { d.workgroup[1] = 0; }},
      {"more than", [](Decision& d) { d.workgroup = {65'536, 65'536, 65'536}; }},
      {"declared has a 0", [](Decision& d) { d.evidence->dispatch.workgroup[2] = 0; }},
      {"groups has a 0", [](Decision& d) { d.evidence->dispatch.groups = Size{0, 1, 1}; }},
      {"the key", [](Decision& d) { d.evidence->dispatch.output_bytes += 1; }},
      {"elapsed_ns is nan", [&](Decision& d) { d.evidence->elapsed.value = nan; }},
      {"elapsed_ns is 0", [](Decision& d) { d.evidence->elapsed.value = 0; }},
      {"elapsed_low_ns is -", [](Decision& d) { d.evidence->elapsed.interval.low = -1; }},
      {"elapsed_high_ns is inf", [&](Decision& d) { d.evidence->elapsed.interval.high = inf; }},
      {"between", [](Decision& d) { d.evidence->elapsed.interval.high = 995; }},
      {"default_ns is nan", [&](Decision& d) { d.evidence->baseline->elapsed.value = nan; }},
      {"default_ns is not between",
       [](Decision& d) { d.evidence->baseline->elapsed.interval.low = 2501; }},
      {"speedup_low is 0", [](Decision& d) { d.evidence->baseline->speedup.interval.low = 0; }},
      {"speedup is not between", [](Decision& d) { d.evidence->baseline->speedup.value = 3; }},
      {"samples", [](Decision& d) { d.evidence->samples = 0; }},
      {"no name", [](Decision& d) { d.evidence->configuration[0].name.clear(); }},
      {"twice", [](Decision& d) { d.evidence->configuration[0].name = "scale"; }},
      {"scale is nan", [&](Decision& d) { d.evidence->configuration[1].value = nan; }},
      {"longer", [](Decision& d) { d.evidence->driver.resize(max_text + 1); }},
      {"features", [](Decision& d) { d.evidence->features.assign(max_features + 1, 'x'); }},
      {"features", [](Decision& d) { d.evidence->features = "caf\xc3\xa9"; }},
      {"date", [](Decision& d) { d.evidence->date += std::chrono::years(9'000); }},
  };
  for (const auto& [reason, change] : wrong) {
    const auto checked = validate(changed(change));
    ASSERT_FALSE(checked) << reason;
    EXPECT_NE(checked.error().message.find(reason), std::string::npos) << checked.error().message;
  }
}

TEST(Decision, OfOneSampleIsNotBetterThanOneOfMany) {
  Decision lucky = decision(1);
  lucky.evidence->elapsed = {5, {5, 5}};
  EXPECT_TRUE(better(lucky, decision(1)));
  lucky.evidence->samples = 1;
  EXPECT_FALSE(better(lucky, decision(1)));
  EXPECT_TRUE(better(decision(1), lucky));
}

TEST(Decision, TheFullFormIsBetterThanTheShortOne) {
  const Decision full = decision(1);
  const Decision brief{full.key, {1, 1, 1}, {}};
  EXPECT_TRUE(better(full, brief));
  EXPECT_FALSE(better(brief, full));
  EXPECT_FALSE(better(brief, brief));
}

TEST(Decision, IsBetterIfClearlyFasterElseWithMoreSamplesElseIfNewer) {
  const Decision present = decision(1);
  EXPECT_FALSE(better(present, present));
  EXPECT_TRUE(better(changed([](Decision& d) {
                       d.evidence->elapsed = {500, {490, 510}};
                       d.evidence->samples = 3;
                     }),
                     present));
  EXPECT_FALSE(better(changed([](Decision& d) {
                        d.evidence->elapsed = {5000, {4900, 5100}};
                        d.evidence->samples = 1000;
                      }),
                      present));
  EXPECT_TRUE(better(changed([](Decision& d) { d.evidence->samples += 1; }), present));
  EXPECT_TRUE(
      better(changed([](Decision& d) { d.evidence->date += std::chrono::seconds(1); }), present));
}

// A shorter time says nothing where the intervals overlap.
TEST(Decision, IsNotBetterForATimeWithinTheOthersInterval) {
  const auto timed = [](double low, double value, double high, std::uint64_t samples) {
    return changed([&](Decision& d) {
      d.evidence->elapsed = {value, {low, high}};
      d.evidence->samples = samples;
    });
  };
  const Decision present = timed(990, 1000, 1010, 30);
  const Decision overlaps = timed(900, 950, 991, 10);
  EXPECT_FALSE(better(overlaps, present));
  EXPECT_TRUE(better(present, overlaps));
  const Decision touches = timed(900, 950, 990, 10);
  EXPECT_FALSE(better(touches, present));
  const Decision apart = timed(900, 950, 989, 10);
  EXPECT_TRUE(better(apart, present));
  EXPECT_FALSE(better(present, apart));
}

TEST(Decision, WritesItsDateAsTomlDoes) {
  EXPECT_EQ(to_string(std::chrono::sys_seconds(std::chrono::seconds(1'763'262'245))),
            "2025-11-16T03:04:05Z");
}

}  // namespace
}  // namespace vyre::store
