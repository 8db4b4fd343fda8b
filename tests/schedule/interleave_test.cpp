#include "schedule/interleave.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "schedule/cases.h"
#include "schedule/vectorize.h"
#include "support/programs.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::parsed;
using testing::RandomSource;

void expect_in_vectors_of_four(std::string_view text, std::string_view expected) {
  const auto made = vectorized(parsed(text), 4);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(expected)));
}

TEST(Records, AreLoadedInPiecesAndStoredInterleaved) {
  expect_in_vectors_of_four(R"(program swap {
    buffer z: f32[64] read
    buffer out: f32[64] write
    grid 32
    let i = invocation.x
    out[2 * i + 1] = -z[2 * i]
    out[2 * i] = z[2 * i + 1]
  })",
                            R"(program swap {
    buffer z: f32[64] read
    buffer out: f32[64] write
    grid 8
    let first = invocation.x * 4
    let i = first
    let z_4 = z[i * 2 : 4]
    let z_5 = z[i * 2 + 4 : 4]
    let z_2 = [z_4.0, z_4.2, z_5.0, z_5.2]
    let z_3 = [z_4.1, z_4.3, z_5.1, z_5.3]
    let part = -z_2
    let part_2 = z_3
    out[i * 2 : 4] = [part_2.0, part.0, part_2.1, part.1]
    out[i * 2 + 4 : 4] = [part_2.2, part.2, part_2.3, part.3]
  })");
}

// The last vector ends with the last element that is loaded: there may be none after it.
TEST(Records, OfWhichOnlyOnePartIsLoadedAreNotLoadedBeyondIt) {
  expect_in_vectors_of_four(R"(program even {
    buffer z: f32[63] read
    buffer out: f32[32] write
    grid 32
    out[invocation.x] = z[2 * invocation.x]
  })",
                            R"(program even {
    buffer z: f32[63] read
    buffer out: f32[32] write
    grid 8
    let first = invocation.x * 4
    let z_3 = z[first * 2 : 4]
    let z_4 = z[first * 2 + 3 : 4]
    let z_2 = [z_3.0, z_3.2, z_4.1, z_4.3]
    out[first : 4] = z_2
  })");
}

// What lies between may be written by others at the same time.
TEST(Records, OfABufferThatIsWrittenAreLoadedOneByOne) {
  expect_in_vectors_of_four(R"(program even {
    buffer z: f32[64] read_write
    buffer out: f32[32] write
    grid 32
    out[invocation.x] = z[2 * invocation.x]
    z[2 * invocation.x + 1] = 1.0
  })",
                            R"(program even {
    buffer z: f32[64] read_write
    buffer out: f32[32] write
    grid 8
    let first = invocation.x * 4
    out[first : 4] = [z[first * 2], z[(first + 1) * 2], z[(first + 2) * 2], z[(first + 3) * 2]]
    let values = splat4(1.0)
    z[first * 2 + 1] = values.0
    z[(first + 1) * 2 + 1] = values.1
    z[(first + 2) * 2 + 1] = values.2
    z[(first + 3) * 2 + 1] = values.3
  })");
}

TEST(Records, OfEightAreShuffledApartTwoVectorsAtATime) {
  expect_in_vectors_of_four(R"(program ends {
    buffer z: f32[64] read
    buffer out: f32[8] write
    grid 8
    let at = 8 * invocation.x
    let a = z[at]
    let b = z[at + 1]
    let c = z[at + 2]
    let d = z[at + 3]
    let e = z[at + 4]
    let f = z[at + 5]
    let g = z[at + 6]
    let h = z[at + 7]
    out[invocation.x] = b - h
  })",
                            R"(program ends {
    buffer z: f32[64] read
    buffer out: f32[8] write
    grid 2
    let first = invocation.x * 4
    let at = first * 8
    let z_2 = z[at : 4]
    let z_3 = z[at + 4 : 4]
    let z_4 = z[at + 8 : 4]
    let z_5 = z[at + 12 : 4]
    let z_6 = z[at + 16 : 4]
    let z_7 = z[at + 20 : 4]
    let z_8 = z[at + 24 : 4]
    let z_9 = z[at + 28 : 4]
    let turn = [z_2.0, z_2.2, z_4.0, z_4.2]
    let turn_2 = [z_2.1, z_2.3, z_4.1, z_4.3]
    let turn_3 = [z_6.0, z_6.2, z_8.0, z_8.2]
    let turn_4 = [z_6.1, z_6.3, z_8.1, z_8.3]
    let turn_5 = [turn.0, turn.2, turn_3.0, turn_3.2]
    let turn_6 = [turn.1, turn.3, turn_3.1, turn_3.3]
    let turn_7 = [turn_2.0, turn_2.2, turn_4.0, turn_4.2]
    let turn_8 = [turn_2.1, turn_2.3, turn_4.1, turn_4.3]
    let turn_9 = [z_3.0, z_3.2, z_5.0, z_5.2]
    let turn_10 = [z_3.1, z_3.3, z_5.1, z_5.3]
    let turn_11 = [z_7.0, z_7.2, z_9.0, z_9.2]
    let turn_12 = [z_7.1, z_7.3, z_9.1, z_9.3]
    let turn_13 = [turn_9.0, turn_9.2, turn_11.0, turn_11.2]
    let turn_14 = [turn_9.1, turn_9.3, turn_11.1, turn_11.3]
    let turn_15 = [turn_10.0, turn_10.2, turn_12.0, turn_12.2]
    let turn_16 = [turn_10.1, turn_10.3, turn_12.1, turn_12.3]
    let a = turn_5
    let b = turn_7
    let c = turn_6
    let d = turn_8
    let e = turn_13
    let f = turn_15
    let g = turn_14
    let h = turn_16
    out[first : 4] = b - h
  })");
}

// Eight vectors for one of the parts would be more than four elements.
TEST(Records, OfEightAreLoadedOneByOneWhereAPartIsNotNeeded) {
  expect_in_vectors_of_four(R"(program every_eighth {
    buffer z: f32[64] read
    buffer out: f32[8] write
    grid 8
    out[invocation.x] = z[8 * invocation.x]
  })",
                            R"(program every_eighth {
    buffer z: f32[64] read
    buffer out: f32[8] write
    grid 2
    let first = invocation.x * 4
    let z_2 = [z[first * 8], z[(first + 1) * 8], z[(first + 2) * 8], z[(first + 3) * 8]]
    out[first : 4] = z_2
  })");
}

// Records loaded whole or in part, stored in any order, whole or with a part left out.
Case random_records(std::uint64_t seed) {
  RandomSource random(seed);
  constexpr std::array<std::uint32_t, 7> lengths = {2, 3, 4, 8, 8, 16, 16};
  const std::uint32_t parts = random.pick(lengths);
  const bool whole = random.one_in(2);
  const std::uint32_t ahead = random.below(parts);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < parts; ++i) order.insert(order.begin() + random.below(i + 1), i);
  if (random.one_in(4)) order.pop_back();
  std::string stores;
  for (const std::uint32_t part : order) {
    const char* from = !whole && random.one_in(6) ? "out" : "z";
    const std::uint32_t any = whole ? (part + ahead) % parts : random.below(parts);
    const std::uint32_t read = from[0] == 'o' ? part : any;
    stores += fmt::format("out[{0} * i + {1}] = {2}[{0} * i + {3}] * s + {4}.0\n", parts, part,
                          from, read, part);
  }
  const std::string branch = random.one_in(3) ? "if (i % 3 > 0) | (s > 4.0)" : "if i < n";
  const std::string text = fmt::format(
      R"(program records_{} {{
        uniform n: u32 = {}
        buffer z: f32[{} * n] read
        buffer out: f32[{} * n] read_write
        grid n
        let i = invocation.x
        var s = z[{} * i]
        for k in 0 .. 3 {{ s = max(s, z[{} * i + k % 2] - f32(k)) }}
        {} {{ {} }}
      }})",
      seed, 1 + random.below(70), parts, parts, parts, parts, random.one_in(2) ? branch : "if true",
      stores);
  Case made{parsed(text), {}};
  constexpr std::array<std::uint32_t, 4> widths = {2, 4, 8, 16};
  made.schedule.set("vector", random.pick(widths));
  made.schedule.set("items_x", 1 + random.below(2));
  made.schedule.set("order", random.below(3));
  return made;
}

// Sums over loops of parts of records, of which some are written.
Case random_loops_over_records(std::uint64_t seed) {
  RandomSource random(seed);
  const std::uint32_t parts = 2 + random.below(4);
  const std::string text = fmt::format(
      R"(program loops_{0} {{
        uniform n: u32 = {1}
        buffer z: u32[{2} * n * 3] {3}
        buffer out: u32[6] write
        grid 3
        let row = invocation.x
        var sum = 0
        var most = 7
        for k in 0 .. n {{
          let one = z[{2} * (row * n + k)]
          sum = sum + one * z[{2} * (row * n + k) + {4}]
          most = max(most, z[(row * n + k) * {2} + {4}] - k)
        }}
        out[2 * row + 1] = sum
        out[2 * row] = most
      }})",
      seed, 1 + random.below(90), parts, random.one_in(4) ? "read_write" : "read",
      random.below(parts));
  Case made{parsed(text), {}};
  constexpr std::array<std::uint32_t, 3> widths = {4, 8, 16};
  made.schedule.set("loop_vector", random.pick(widths));
  made.schedule.set("loop_parts", 1 + random.below(3));
  return made;
}

TEST(Records, AreLoadedByVectorsAlongLoops) {
  const Case one = random_loops_over_records(2);
  const auto made = apply(one.program, one.schedule);
  ASSERT_TRUE(made) << made.error().message;
  expect_same_bits(random_loops_over_records, 200, 80);
  expect_agreement_on_device(random_loops_over_records, 10);
}

TEST(Records, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_records, 600, 200); }

TEST(Records, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_records, 20);
}

}  // namespace
}  // namespace vyre::schedule
