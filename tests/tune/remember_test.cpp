#include "tune/remember.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "tune/kfac_family.h"
#include "vyre/ir/fingerprint.h"

namespace vyre::tune {
namespace {

using testing::parsed;

constexpr const char* scaled_program = R"(program scaled {
  uniform n: u32 = 4096
  buffer x: f32[n] read
  buffer y: f32[n] write
  buffer z: u32[n / 2] read_write
  grid n
  let i = invocation.x
  y[i] = x[i] * 2.0
  if i < n / 2 {
    z[i] = z[i] + 1
  }
}
)";

constexpr device::Limits device_limits{
    .max_workgroup = 1024, .max_workgroup_dims = {1024, 1024, 64}, .shared_bytes = 32'768};

Family scaled_family() {
  auto family = family_of(parsed(scaled_program), {}, device_limits);
  if (!family) throw std::runtime_error(family.error().message);
  return *std::move(family);
}

Judgement judged() {
  return {.gain = Gain::faster,
          .compared = true,
          .elapsed = {10, {9, 11}},
          .baseline = store::Baseline{.elapsed = {30, {29, 31}}, .speedup = {3, {2.9, 3.1}}},
          .samples = 12};
}

Result<store::Decision> decided(const Family& family, space::Index member) {
  return decision_of(family, member, judged(), "natural");
}

TEST(Remember, ADispatchIsTheProgramWithItsSizesAndWhatItMayWrite) {
  const ir::Program program = parsed(scaled_program);
  const auto dispatch = dispatch_of(program, {{"n", {Scalar::u32, 640}}});
  ASSERT_TRUE(dispatch) << dispatch.error().message;
  EXPECT_EQ(dispatch->program, ir::fingerprint(program));
  EXPECT_EQ(dispatch->workgroup, (store::Size{64, 1, 1}));
  EXPECT_EQ(dispatch->groups, (store::Size{10, 1, 1}));
  EXPECT_EQ(dispatch->output_bytes, 640U * 4 + 320U * 4);
  EXPECT_EQ(dispatch->input_bytes, 640U * 4);
}

TEST(Remember, EveryMemberIsFoundAgainFromItsDecision) {
  const Family family = scaled_family();
  ASSERT_GT(family.space.size(), 100U);
  for (space::Index member = 0; member < family.space.size(); ++member) {
    const auto decision = decided(family, member);
    if (!decision) continue;  // a schedule that is not legal
    EXPECT_TRUE(store::validate(*decision));
    const auto found = member_of(family, *decision);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(*found, member);
  }
}

TEST(Remember, AFamilyWithoutWorkgroupsAmongItsParametersIsRememberedToo) {
  const auto family = kfac_family({.num_blocks = 32, .n = 4});
  ASSERT_TRUE(family);
  for (space::Index member = 0; member < family->space.size(); ++member) {
    const auto decision = decided(*family, member);
    ASSERT_TRUE(decision);
    EXPECT_EQ(member_of(*family, *decision), member);
  }
}

TEST(Remember, ADecisionSaysWhatWasMeasured) {
  const Family family = scaled_family();
  const auto decision = decided(family, family.baseline);
  ASSERT_TRUE(decision && decision->evidence);
  EXPECT_EQ(decision->key, key_of(*dispatch_of(parsed(scaled_program), {})));
  EXPECT_EQ(decision->workgroup, (store::Size{64, 1, 1}));
  EXPECT_EQ(decision->evidence->elapsed, (measure::Estimate{10, {9, 11}}));
  ASSERT_TRUE(decision->evidence->baseline);
  EXPECT_EQ(decision->evidence->baseline->elapsed.value, 30);
  EXPECT_EQ(decision->evidence->baseline->speedup.value, 3);
  EXPECT_EQ(decision->evidence->samples, 12U);
  EXPECT_EQ(decision->evidence->strategy, "natural");
  EXPECT_EQ(decision->evidence->program_name, "scaled");
}

TEST(Remember, TheShortFormIsTheBaselineWithThatWorkgroup) {
  const Family family = scaled_family();
  const auto member = member_of(family, {.key = {}, .workgroup = {256, 1, 1}, .evidence = {}});
  ASSERT_TRUE(member) << member.error().message;
  EXPECT_EQ(*family.members->workgroup(*member), (Extent{256, 1, 1}));
  EXPECT_EQ(changed_text(family, *member), "wg_x=256");
}

TEST(Remember, WhatIsNotAMemberIsRefusedWithTheReason) {
  const Family family = scaled_family();
  const auto why = [&](store::Decision decision) {
    const auto member = member_of(family, decision);
    return member ? "it is a member" : member.error().message;
  };
  store::Decision decision = *decided(family, family.baseline);
  decision.workgroup = {7, 1, 1};
  EXPECT_EQ(why(decision),
            "the decision is not one of scaled: " + configuration_text(family, family.baseline) +
                " does not have workgroups of 7 x 1 x 1");
  decision.evidence.reset();
  EXPECT_NE(why(decision).find("there is no wg_x=7"), std::string::npos);
  decision.workgroup = {64, 2, 1};
  EXPECT_NE(why(decision).find("does not have workgroups of 64 x 2 x 1"), std::string::npos);
  decision = *decided(family, family.baseline);
  decision.evidence->configuration.push_back({"prefetch", std::int64_t{2}});
  EXPECT_EQ(why(decision), "the decision is not one of scaled: it has no parameter prefetch");
}

TEST(Remember, AMemberIsNamedByWhatDiffersFromTheBaseline) {
  const Family family = scaled_family();
  const auto member = member_of(family, {.key = {}, .workgroup = {256, 1, 1}, .evidence = {}});
  EXPECT_EQ(changed_text(family, *member), "wg_x=256");
  EXPECT_EQ(changed_text(family, family.baseline), "as it is");
}

}  // namespace
}  // namespace vyre::tune
