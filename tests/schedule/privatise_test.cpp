#include "schedule/privatise.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "schedule/schedule_space.h"
#include "support/programs.h"
#include "vyre/ir/text.h"
#include "vyre/schedule/schedule.h"
#include "vyre/space/enumerate.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

std::string counting(const std::string& statements) {
  return "program p { buffer x: u32[64] read buffer n: u32[8] read_write "
         "buffer large: u32[16385] read_write buffer y: f32[64] write grid 64 workgroup 1 " +
         statements + " }";
}

std::string why_not(const std::string& text, const Privatising& how = {}) {
  const auto made = privatised(parsed(text), how);
  return made ? "not refused" : made.error().message;
}

TEST(Privatising, GivesAGroupACopyThatItClearsFillsAndMerges) {
  const auto made = privatised(parsed(R"(program histogram {
    uniform n: u32 = 1000
    buffer x: u32[n] read
    buffer bins: u32[256] read_write
    grid n
    atomic bins[x[invocation.x] & 255] += 1
  })"),
                               {.copies = Copies::group, .workgroup = {32, 1, 1}, .groups = 8});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program histogram {
    uniform n: u32 = 1000
    buffer x: u32[n] read
    buffer bins: u32[256] read_write
    shared private_bins: u32[256]
    grid min((n + 31) / 32, 8) * 32
    workgroup 32
    for element in local.x .. 256 step 32 { private_bins[element] = 0 }
    barrier
    let blocks = (n + 31) / 32
    let share = blocks / 8
    let rest = blocks % 8
    for block in group.x * share + min(group.x, rest) ..
        (group.x + 1) * share + min(group.x + 1, rest) {
      let place_x = block * 32 + local.x
      if place_x < n { atomic private_bins[x[place_x] & 255] += 1 }
    }
    barrier
    for element_2 in local.x .. 256 step 32 {
      let sum = private_bins[element_2]
      if sum != 0 { atomic bins[element_2] += sum }
    }
  })")));
}

TEST(Privatising, GivesAnInvocationThatIsAloneACopyWithoutAtomics) {
  const auto made =
      privatised(parsed(R"(program signs {
    buffer x: i32[4096] read
    buffer sums: i32[2] read_write
    grid 4096
    let at = invocation.x
    if x[at] < 0i { atomic sums[0] += x[at] } else { atomic sums[1] += x[at] }
  })"),
                 {.copies = Copies::invocation, .workgroup = {1, 1, 1}, .groups = 16});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program signs {
    buffer x: i32[4096] read
    buffer sums: i32[2] read_write
    shared private_sums: i32[2]
    grid 16
    workgroup 1
    for element in 0 .. 2 { private_sums[element] = 0i }
    barrier
    for block in group.x * 256 .. (group.x + 1) * 256 {
      let at = block
      if x[at] < 0i {
        private_sums[0] = private_sums[0] + x[at]
      } else {
        private_sums[1] = private_sums[1] + x[at]
      }
    }
    barrier
    for element_2 in 0 .. 2 {
      let sum = private_sums[element_2]
      if sum != 0i { atomic sums[element_2] += sum }
    }
  })")));
}

TEST(Privatising, GivesCopiesOfFloats) {
  const auto made =
      privatised(parsed(R"(program weights {
    buffer at: u32[4096] read
    buffer x: f32[4096] read
    buffer sums: f32[8] read_write
    grid 4096
    reassociate
    atomic sums[at[invocation.x] % 8] += x[invocation.x]
  })"),
                 {.copies = Copies::invocation, .workgroup = {1, 1, 1}, .groups = 16});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program weights {
    buffer at: u32[4096] read
    buffer x: f32[4096] read
    buffer sums: f32[8] read_write
    shared private_sums: f32[8]
    grid 16
    workgroup 1
    reassociate
    for element in 0 .. 8 { private_sums[element] = 0.0 }
    barrier
    for block in group.x * 256 .. (group.x + 1) * 256 {
      let at_2 = at[block] % 8
      private_sums[at_2] = private_sums[at_2] + x[block]
    }
    barrier
    for element_2 in 0 .. 8 {
      let sum = private_sums[element_2]
      if sum != 0.0 { atomic sums[element_2] += sum }
    }
  })")));
}

TEST(Privatising, PutsTheCopiesOfAGroupSideBySideAndAddsThemUp) {
  const auto made = privatised(parsed(R"(program rows {
    uniform w: u32 = 30
    uniform h: u32 = 20
    buffer x: u32[w * h] read
    buffer rows: u32[h] read_write
    grid w, h
    atomic rows[invocation.y] += x[invocation.y * w + invocation.x]
  })"),
                               {.copies = Copies::invocation, .workgroup = {2, 2, 1}, .groups = 4});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program rows {
    uniform w: u32 = 30
    uniform h: u32 = 20
    buffer x: u32[w * h] read
    buffer rows: u32[h] read_write
    shared private_rows: u32[h * 4]
    grid min((w + 1) / 2 * ((h + 1) / 2), 4) * 2, 2
    workgroup 2, 2
    for element in local.y * 2 + local.x .. h * 4 step 4 { private_rows[element] = 0 }
    barrier
    let blocks_x = (w + 1) / 2
    let blocks = (w + 1) / 2 * ((h + 1) / 2)
    let share = blocks / 4
    let rest = blocks % 4
    for block in group.x * share + min(group.x, rest) ..
        (group.x + 1) * share + min(group.x + 1, rest) {
      let place_x = block % blocks_x * 2 + local.x
      let place_y = block / blocks_x * 2 + local.y
      if place_x < w & place_y < h {
        let at = place_y * 4 + (local.y * 2 + local.x)
        private_rows[at] = private_rows[at] + x[place_y * w + place_x]
      }
    }
    barrier
    for element_2 in local.y * 2 + local.x .. h step 4 {
      var sum = 0
      for copy in 0 .. 4 { sum = sum + private_rows[element_2 * 4 + copy] }
      if sum != 0 { atomic rows[element_2] += sum }
    }
  })")));
}

TEST(Privatising, LeavesArraysThatAreLargeOrUsedOtherwise) {
  const auto made = privatised(parsed(counting(R"(
    atomic n[x[invocation.x] % 8] += 1
    atomic large[x[invocation.x]] += 1)")),
                               {.copies = Copies::group, .workgroup = {64, 1, 1}});
  ASSERT_TRUE(made) << made.error().message;
  const std::string text = print(*made);
  EXPECT_NE(text.find("atomic private_n["), std::string::npos) << text;
  EXPECT_NE(text.find("atomic large["), std::string::npos) << text;
  EXPECT_EQ(made->buffers.size(), 5U);
}

TEST(Privatising, SaysWhyItIsNotLegal) {
  const std::string start = "cannot give each group a copy: ";
  EXPECT_EQ(why_not(counting("y[invocation.x] = 1.0")), start + "nothing is added by atomics");
  EXPECT_EQ(why_not(counting("atomic large[0] += 1")),
            start + "'large' has 16385 elements, and a copy has at most 16384");
  EXPECT_EQ(why_not(counting("atomic n[0] += 1 if n[1] > 0 { y[0] = 1.0 }")),
            start + "in `if n[1] > 0 { ... }`, it reads 'n', to which others add");
  EXPECT_EQ(why_not(counting("if invocation.x == 9 { n[1] = 3 } atomic n[0] += 1")),
            start + "in `n[1] = 3`, it stores to 'n', to which others add");
  EXPECT_EQ(why_not(counting("atomic n[n[1]] += 1")),
            start + "in `atomic n[n[1]] += 1`, it reads 'n', to which others add");
  EXPECT_EQ(why_not(counting("atomic n[0] += 1 barrier")),
            start + "in `barrier`, all of a workgroup wait here");
  EXPECT_EQ(why_not(counting("atomic n[local.x] += 1")),
            start + "in `atomic n[local.x] += 1`, it reads local.x");
  EXPECT_EQ(why_not(counting("atomic n[0] += 1"), {.groups = 0}),
            start + "there is at least one group, of one invocation");
  EXPECT_EQ(why_not(counting("atomic n[0] += 1"), {.workgroup = {4, 0, 1}}),
            start + "there is at least one group, of one invocation");
  EXPECT_EQ(why_not(counting("atomic n[0] += 1"),
                    {.copies = Copies::invocation, .workgroup = {1024, 256, 1}}),
            "cannot give each invocation a copy: the copies of a group have at most 1048576 "
            "elements");
}

TEST(Privatising, TakesWhatVectorsItemsAndGatheringMade) {
  const ir::Program program = parsed(R"(program p {
    buffer x: u32[64] read
    buffer n: u32[8] read_write
    buffer all: u32[1] read_write
    grid 64
    atomic n[x[invocation.x] % 8] += 1
    atomic all[0] += x[invocation.x]
  })");
  const auto made = apply(program, parse_schedule("vector=2 items_x=4 gather=1 private=invocation "
                                                  "private_groups=2 wg_x=1")
                                       .value());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program p {
    buffer x: u32[64] read
    buffer n: u32[8] read_write
    buffer all: u32[1] read_write
    shared private_n: u32[8]
    shared private_all: u32[1]
    grid 2
    workgroup 1
    for element in 0 .. 8 { private_n[element] = 0 }
    for element_2 in 0 .. 1 { private_all[element_2] = 0 }
    barrier
    for block in group.x * 4 .. (group.x + 1) * 4 {
      let first_2 = block * 4
      var sum = splat2(0)
      for item in first_2 .. first_2 + 4 {
        let first = item * 2
        let at = x[first] % 8
        private_n[at] = private_n[at] + 1
        let at_2 = x[first + 1] % 8
        private_n[at_2] = private_n[at_2] + 1
        sum = sum + x[first : 2]
      }
      let total = sum(sum)
      if total != 0 { private_all[0] = private_all[0] + total }
    }
    barrier
    for element_3 in 0 .. 8 {
      let sum_2 = private_n[element_3]
      if sum_2 != 0 { atomic n[element_3] += sum_2 }
    }
    for element_4 in 0 .. 1 {
      let sum_3 = private_all[element_4]
      if sum_3 != 0 { atomic all[element_4] += sum_3 }
    }
  })")));
}

std::set<std::string> words_offered(std::string_view text, const Limits& limits = {}) {
  std::set<std::string> found;
  const auto definition = schedule_space(parsed(text), limits).value();
  const space::Space space = space::enumerate(definition).value().space;
  const ir::Program program = parsed(text);
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    found.insert(std::string(copies_words[schedule[private_name]]));
  }
  return found;
}

constexpr std::string_view counts = R"(program p { buffer x: u32[65536] read
  buffer n: u32[64] read_write grid 65536 atomic n[x[invocation.x] % 64] += 1 })";

TEST(SpacesWithCopies, OfferThemWhereAnArrayIsSmallAndOnlyAddedTo) {
  using Set = std::set<std::string>;
  EXPECT_EQ(words_offered(counts), (Set{"none", "group", "invocation"}));
  EXPECT_EQ(words_offered(counts, {.shared_bytes = 255}), Set{"none"});
  // As many elements to merge as items.
  EXPECT_EQ(words_offered("program p { buffer n: u32[64] read_write grid 64 "
                          "atomic n[invocation.x] += 1 }"),
            Set{"none"});
  EXPECT_EQ(words_offered("program p { buffer n: u32[64] read_write grid 64 "
                          "for i in 0 .. 1000 { atomic n[i % 64] += 1 } }"),
            (Set{"none", "group", "invocation"}));
  EXPECT_EQ(words_offered("program p { buffer x: u32[4096] read_write grid 4096 "
                          "x[invocation.x] = 1 }"),
            Set{"none"});
}

TEST(SpacesWithCopies, KeepThemWithinSharedMemoryAndAreLegalThroughout) {
  const ir::Program program = parsed(counts);
  const auto definition = schedule_space(program, {.shared_bytes = 4096}).value();
  const space::Space space = space::enumerate(definition).value().space;
  std::uint32_t most = 0;
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    const bool each = schedule["private"] == 2;
    if (each) most = std::max(most, schedule["wg_x"]);
    ASSERT_TRUE(schedule["private"] != 1 || schedule["wg_x"] > 1);
    if (i % 13 != 0) continue;
    const auto made = apply(program, schedule);
    ASSERT_TRUE(made) << to_string(schedule) << ": " << made.error().message;
  }
  EXPECT_EQ(most, 16U);
}

}  // namespace
}  // namespace vyre::schedule
