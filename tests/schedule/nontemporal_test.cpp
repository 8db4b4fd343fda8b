#include "schedule/nontemporal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "schedule/cases.h"
#include "schedule/schedule_space.h"
#include "support/programs.h"
#include "support/random_source.h"
#include "vyre/space/enumerate.h"

namespace vyre::schedule {
namespace {

using testing::parsed;
using testing::RandomSource;

constexpr auto scale = R"(program scale {
  uniform n: u32 = 100
  buffer x: f32[n] read
  buffer y: f32[n] write
  buffer z: f32[n] read_write
  grid n
  y[invocation.x] = x[invocation.x] * 2.0
  z[invocation.x] = 1.0
})";

TEST(NontemporalStores, MarkWhatIsOnlyWritten) {
  const auto made = with_nontemporal_stores(parsed(scale));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(find_buffer(*made, "x")->nontemporal);
  EXPECT_TRUE(find_buffer(*made, "y")->nontemporal);
  EXPECT_FALSE(find_buffer(*made, "z")->nontemporal);
}

TEST(NontemporalStores, AreRefusedWhereEverythingThatIsWrittenMayBeRead) {
  const auto made = with_nontemporal_stores(
      parsed("program p { buffer y: u32[4] read_write grid 4 y[invocation.x] = 1 }"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "cannot store past the caches: no buffer is only written");
}

bool offered(std::uint32_t n) {
  return is_offered(parsed(scale), {{"n", {Scalar::u32, n}}}, nontemporal_name);
}

TEST(NontemporalStores, AreOfferedWhereMoreIsWrittenThanCachesKeep) {
  EXPECT_FALSE(offered(1U << 20U));
  EXPECT_FALSE(offered((8U << 20U) - 1));
  EXPECT_TRUE(offered(8U << 20U));
}

TEST(NontemporalStores, GoWithVectorsOnly) {
  const ir::Uniforms sizes = {{"n", {Scalar::u32, 1U << 24U}}};
  const ir::Program program = parsed(scale);
  const auto space = space::enumerate(schedule_space(program, {}, sizes).value()).value().space;
  std::size_t marked = 0;
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    if (schedule[nontemporal_name] == 0) continue;
    ++marked;
    EXPECT_GT(schedule["vector"], 1U) << to_string(schedule);
  }
  EXPECT_GT(marked, 10U);
}

// Stores of every element type at places that are aligned and at places that are not, proved to be
// in bounds and guarded.
Case random_stores(std::uint64_t seed) {
  struct Kind {
    std::string_view element, value;
  };
  constexpr std::array<Kind, 9> kinds = {{{"u32", "x[i]"},
                                          {"i32", "i32(x[i])"},
                                          {"f32", "f32(x[i] & 255)"},
                                          {"bool", "(x[i] & 1) == 1"},
                                          {"u64", "u64(x[i])"},
                                          {"u8", "x[i]"},
                                          {"i8", "i32(x[i])"},
                                          {"u16", "x[i]"},
                                          {"f16", "f32(x[i] & 255)"}}};
  constexpr std::array<std::string_view, 5> places = {"i", "i + 16", "i + 1", "i + 3",
                                                      "i + (x[0] & 15)"};
  RandomSource random(seed);
  const Kind kind = random.pick(kinds);
  const std::string text = fmt::format(
      R"(program stores_{} {{
        uniform n: u32 = {}
        buffer x: u32[n] read
        buffer y: {}[n + 16] write
        grid n
        let i = invocation.x
        y[{}] = {}
      }})",
      seed, 1 + random.below(200), kind.element, random.pick(places), kind.value);
  Case made{parsed(text), {}};
  made.schedule.set("vector", 2U << random.below(4));
  made.schedule.set("items_x", 1 + random.below(3));
  made.schedule.set("order", random.below(3));
  made.schedule.set(nontemporal_name, 1);
  return made;
}

TEST(NontemporalStores, GiveTheSameBitsOnTheInterpreter) {
  expect_same_bits(random_stores, 100, 90);
}

TEST(NontemporalStores, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_stores,
                             testing::number_from("VYRE_SCHEDULED_PROGRAMS", 100) / 2);
}

}  // namespace
}  // namespace vyre::schedule
