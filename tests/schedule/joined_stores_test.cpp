#include "schedule/joined_stores.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "schedule/cases.h"
#include "schedule/items.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::parsed;
using testing::RandomSource;

ir::Program in_program(std::string_view body) {
  return parsed(fmt::format(R"(program p {{
    buffer x: f32[64] read
    buffer y: f32[64] read_write
    buffer z: f32[64] read_write
    grid 64
    let i = invocation.x
    {}
  }})",
                            body));
}

std::string joined(std::string_view body) {
  ir::Program made = in_program(body);
  ir::Names names(made);
  made.body = with_joined_stores(made.body, constant_buffers(made), names);
  return print(made);
}

TEST(JoinedStores, FollowBranchesThatStoreToOnePlace) {
  EXPECT_EQ(joined("if x[i] > 0.0 { y[i] = x[i] } else { let t = x[i] * 2.0  y[i] = t }"),
            print(in_program(R"(
    let x_2 = x[i]
    var value = 0.0
    if x_2 > 0.0 { value = x_2 } else { let t = x_2 * 2.0  value = t }
    y[i] = value)")));
}

// The last name may be at the end of the buffer; of others nobody knows.
TEST(JoinedStores, AreNotNeededToLoadBeforehandWhatALoopIsSureToFind) {
  EXPECT_EQ(joined("var s = 0.0  for j in 3 .. 64 { if s < 1.0 { s = s + x[j] * x[j + 1] } }"),
            print(in_program(R"(
    var s = 0.0
    for j in 3 .. 64 {
      let x_2 = x[j]
      if s < 1.0 { s = s + x_2 * x[j + 1] }
    })")));
  const std::string_view short_of = "var s = 0.0  for j in 3 .. 65 { if s < 1.0 { s = s + x[j] } }";
  EXPECT_EQ(joined(short_of), print(in_program(short_of)));
}

TEST(JoinedStores, OfBranchesInBranchesAreJoinedFromTheInside) {
  EXPECT_EQ(joined("if i > 3 { y[i] = 1.0 } else { if i > 2 { y[i] = 2.0 } else { y[i] = 3.0 } }"),
            print(in_program(R"(
    var value_2 = 0.0
    if i > 3 {
      value_2 = 1.0
    } else {
      var value = 0.0
      if i > 2 { value = 2.0 } else { value = 3.0 }
      value_2 = value
    }
    y[i] = value_2)")));
}

TEST(JoinedStores, KeepTheirOrder) {
  EXPECT_EQ(joined("if i > 3 { y[i] = 1.0  z[i] = 2.0 } else { y[i] = 3.0  z[i] = 4.0 }"),
            print(in_program(R"(
    var value = 0.0
    var value_2 = 0.0
    if i > 3 { value_2 = 1.0  value = 2.0 } else { value_2 = 3.0  value = 4.0 }
    y[i] = value_2
    z[i] = value)")));
}

TEST(JoinedStores, AreNotMadeWhereThePlacesDifferOrMoreIsLoaded) {
  for (const std::string_view body :
       {"if i > 3 { y[i] = 1.0 }", "if i > 3 { y[i] = 1.0 } else { y[63 - i] = 2.0 }",
        "if i > 3 { y[i] = 1.0 } else { z[i] = 2.0 }",
        "if i > 3 { y[i] = x[i + 1] } else { y[i] = x[i] }",
        "if i > 3 { let k = i  y[k] = 1.0 } else { let l = i  y[l] = 2.0 }"}) {
    EXPECT_EQ(joined(body), print(in_program(body))) << body;
  }
}

// Branches in branches, with stores to the same and to other places, some of which read them.
Case random_branches(std::uint64_t seed) {
  constexpr std::array<std::string_view, 5> conditions = {
      "x[i] > 0.25", "i % 3 == 1", "x[i] < x[63 - i]", "k % 2 == 0", "i > 20"};
  constexpr std::array<std::string_view, 6> values = {"1.5",  "x[i] * 2.0", "y[i] + 1.0",
                                                      "z[i]", "x[63 - i]",  "f32(k)"};
  RandomSource random(seed);
  int names = 0;
  const auto stores = [&] {
    std::string text;
    if (random.one_in(2)) text += fmt::format("y[i] = {} ", random.pick(values));
    if (random.one_in(3)) text += fmt::format("let t{} = {} ", names++, random.pick(values));
    text += fmt::format("{}[i] = {} ", random.one_in(4) ? "y" : "z", random.pick(values));
    return text;
  };
  const std::string inner =
      fmt::format("if {} {{ {} }} else {{ {} }}", random.pick(conditions), stores(), stores());
  const std::string outer = fmt::format("if {} {{ {} }} else {{ {} {} }}", random.pick(conditions),
                                        stores(), stores(), random.one_in(2) ? inner : "");
  const std::string text = fmt::format("var k = i / 2\n for n in 0 .. 3 {{ k = k + n {} }}", outer);
  Case made{in_program(random.one_in(2) ? text : "let k = i " + outer), {}};
  constexpr std::array<std::uint32_t, 4> widths = {2, 4, 8, 16};
  made.schedule.set("vector", random.pick(widths));
  made.schedule.set("items_x", 1 + random.below(2));
  made.schedule.set("order", random.below(3));
  return made;
}

TEST(JoinedStores, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_branches, 300, 200); }

TEST(JoinedStores, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_branches, 15);
}

}  // namespace
}  // namespace vyre::schedule
