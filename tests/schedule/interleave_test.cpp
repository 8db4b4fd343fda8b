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

// Records of two to four, loaded in part, stored in any order, whole or with a part left out.
Case random_records(std::uint64_t seed) {
  RandomSource random(seed);
  const std::uint32_t parts = 2 + random.below(3);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < parts; ++i) order.insert(order.begin() + random.below(i + 1), i);
  if (random.one_in(4)) order.pop_back();
  std::string stores;
  for (const std::uint32_t part : order) {
    const char* from = random.one_in(6) ? "out" : "z";
    const std::uint32_t read = from[0] == 'o' ? part : random.below(parts);
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

TEST(Records, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_records, 400, 200); }

TEST(Records, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_records, 20);
}

}  // namespace
}  // namespace vyre::schedule
