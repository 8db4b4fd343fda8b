#include "schedule/schedule_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "space/expression.h"
#include "support/programs.h"
#include "vyre/space/enumerate.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

constexpr std::string_view gemm = R"(program gemm {
  uniform m: u32 = 64
  uniform n: u32 = 96
  uniform k: u32 = 32
  buffer a: f32[m * k] read
  buffer b: f32[k * n] read
  buffer c: f32[m * n] write
  grid n, m
  workgroup 64
  var sum = 0.0
  for i in 0 .. k {
    sum = fma(a[invocation.y * k + i], b[i * n + invocation.x], sum)
  }
  c[invocation.y * n + invocation.x] = sum
})";

space::Space space_of(const ir::Program& program, const Limits& limits = {}) {
  return space::enumerate(schedule_space(program, limits).value()).value().space;
}

std::set<std::string> names(std::string_view text) {
  const auto definition = schedule_space(parsed(text)).value();
  std::set<std::string> found;
  for (const space::Parameter& parameter : definition.parameters) found.insert(parameter.name);
  return found;
}

// Of items that stand side by side in one member of the space.
std::uint32_t most_jammed(std::string_view text) {
  const ir::Program program = parsed(text);
  const space::Space space = space_of(program);
  std::uint32_t most = 0;
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    const bool jammed = schedule["order"] == 2;
    if (!jammed) continue;
    most = std::max(most, schedule["items_x"] * schedule["items_y"] * schedule["items_z"]);
  }
  return most;
}

TEST(ScheduleSpace, PutsAsManyItemsSideBySideAsTheirLoadsHaveRegisters) {
  EXPECT_EQ(most_jammed("program p { buffer x: f32[64] read buffer y: f32[64] write grid 64 "
                        "y[invocation.x] = x[invocation.x] }"),
            16U);
  EXPECT_EQ(most_jammed("program p { buffer x: f32[70] read buffer y: f32[64] write grid 64 "
                        "let i = invocation.x if i > 3 { y[i] = x[i] + x[i + 1] + x[i + 2] + "
                        "x[i + 3] + x[i + 4] + x[i + 5] + x[i + 6] } }"),
            6U);
}

TEST(ScheduleSpace, HasOnlyParametersThatCanMatter) {
  using Set = std::set<std::string>;
  EXPECT_EQ(names(gemm),
            (Set{"wg_x", "wg_y", "items_x", "items_y", "order", "unroll", "vector", "tile"}));
  EXPECT_EQ(names("program p { buffer y: u32[128] write grid 64 y[invocation.x * 2] = 1 }"),
            (Set{"wg_x", "items_x", "order"}));
  EXPECT_EQ(names(R"(program p { shared t: u32[64] grid 64
                     for i in 0 .. 8 { t[local.x] = i } })"),
            (Set{"unroll"}));
  EXPECT_EQ(names("program p { grid 1 workgroup 1 barrier }"), (Set{"wg_x"}));
  EXPECT_EQ(names("program p { buffer n: u32[1] read_write grid 64 atomic n[0] += 1 }"),
            (Set{"wg_x", "items_x", "order", "gather", "tree"}));
}

// The workgroups of a program that lists its own.
std::set<std::vector<std::uint32_t>> workgroups(const ir::Program& program, const Limits& limits) {
  const space::Space space = space_of(program, limits);
  std::set<std::vector<std::uint32_t>> found;
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    found.insert({schedule["wg_x"], schedule["wg_y"]});
    EXPECT_TRUE(apply(program, schedule)) << to_string(schedule);
  }
  return found;
}

TEST(ScheduleSpace, HasTheListedWorkgroupsThatDivideTheGridAndFitTheDevice) {
  const ir::Program program = parsed(R"(program p { uniform n: u32 = 48
    buffer y: f32[n] write
    shared t: f32[workgroup.x * 8]
    grid n, 2
    workgroup 16 or 8, 2 or 4, 2 or 24 or 32 or 48
    t[local.x] = 1.0 barrier if invocation.y == 0 { y[invocation.x] = t[local.x] } })");
  using Set = std::set<std::vector<std::uint32_t>>;
  EXPECT_EQ(workgroups(program, {}), (Set{{16, 1}, {8, 2}, {4, 2}, {24, 1}, {48, 1}}));
  EXPECT_EQ(workgroups(program, {.max_workgroup = 24}), (Set{{16, 1}, {8, 2}, {4, 2}, {24, 1}}));
  EXPECT_EQ(workgroups(program, {.max_extent = {64, 1, 1}}), (Set{{16, 1}, {24, 1}, {48, 1}}));
  EXPECT_EQ(workgroups(program, {.shared_bytes = 256}), (Set{{16, 1}, {8, 2}, {4, 2}}));
}

TEST(ScheduleSpace, OfAProgramWithBarriersHasWhatIsLegalInAGroup) {
  EXPECT_EQ(names(R"(program p { buffer y: f32[256] write shared t: f32[64] grid 256 workgroup 64
                     t[local.x] = 1.0 barrier y[invocation.x] = t[local.x] })"),
            (std::set<std::string>{"vector", "items_x", "order", "group_turns"}));
}

constexpr std::string_view cube = R"(program cube {
  buffer x: f32[32 * 16 * 8] read
  buffer y: f32[32 * 16 * 8] write
  grid 32, 16, 8
  let i = (invocation.z * 16 + invocation.y) * 32 + invocation.x
  y[i] = 2.0 * x[i]
})";

TEST(ScheduleSpace, OfThreeDimensionsHasWorkgroupsAndItemsOfAllThree) {
  const auto found = names(cube);
  for (const char* name : {"wg_x", "wg_y", "wg_z", "items_x", "items_y", "items_z"}) {
    EXPECT_TRUE(found.contains(name)) << name;
  }
  const ir::Program program = parsed(cube);
  const space::Space space = space_of(program);
  std::set<std::uint32_t> groups;
  std::set<std::uint32_t> items;
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    groups.insert(schedule["wg_z"]);
    items.insert(schedule["items_z"]);
    ASSERT_LE(schedule["wg_z"] * schedule["items_z"], 8U);
    if (i % 1009 != 0) continue;
    ASSERT_TRUE(apply(program, schedule)) << to_string(schedule);
  }
  EXPECT_EQ(groups, (std::set<std::uint32_t>{1, 2, 4, 8}));
  EXPECT_EQ(items, (std::set<std::uint32_t>{1, 2, 4, 6, 8}));
}

TEST(ScheduleSpace, HoldsTheProgramAsItIs) {
  for (const std::string_view workgroup : {"64", "4, 12", "3, 2, 2"}) {
    std::string text(gemm);
    text.replace(text.find("workgroup 64"), 12, "workgroup " + std::string(workgroup));
    const ir::Program program = parsed(text);
    const space::Space space = space_of(program);
    bool found = false;
    for (space::Index i = 0; i < space.size() && !found; ++i) {
      found = schedule_of(program, space, i) == default_schedule(program);
    }
    EXPECT_TRUE(found) << workgroup;
  }
}

TEST(ScheduleSpace, KeepsWorkgroupsWithinTheDevice) {
  const ir::Program program = parsed(gemm);
  const space::Space space = space_of(program, {.max_workgroup = 128, .max_extent = {64, 32, 1}});
  std::uint32_t largest = 0;
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    largest = std::max(largest, schedule["wg_x"] * schedule["wg_y"]);
    ASSERT_LE(schedule["wg_y"], 32);
  }
  EXPECT_EQ(largest, 128);
}

// The least number of workgroups that a member launches.
std::uint64_t fewest_groups(const ir::Program& program, const Limits& limits) {
  const space::Space space = space_of(program, limits);
  std::uint64_t fewest = ~std::uint64_t{0};
  for (space::Index i = 0; i < space.size(); ++i) {
    const auto made = apply(program, schedule_of(program, space, i));
    if (!made) continue;
    const auto [x, y, z] = ir::launch_shape(*made).value().groups;
    fewest = std::min(fewest, std::uint64_t{x} * y * z);
  }
  return fewest;
}

TEST(ScheduleSpace, LeavesNoUnitIdleWhereThereIsMuchToDo) {
  const auto steps = [](const char* count) {
    return parsed(std::string("program p { buffer x: f32[256] read buffer y: f32[256] write "
                              "grid 256  var a = x[invocation.x]  for i in 0 .. ") +
                  count + " { a = a * 0.5 }  y[invocation.x] = a }");
  };
  EXPECT_EQ(fewest_groups(steps("100000"), {.compute_units = 3}), 3U);
  EXPECT_EQ(fewest_groups(steps("100000"), {.compute_units = 1}), 1U);
  EXPECT_EQ(fewest_groups(steps("100"), {.compute_units = 3}), 1U) << "over at once";
  EXPECT_EQ(fewest_groups(steps("100000"), {.compute_units = 5}), 1U) << "it has 4 as it is";
}

TEST(ScheduleSpace, LeavesNoUnitIdleByTurnsOrLargerGroups) {
  const ir::Program program = parsed(R"(program p { buffer y: f32[256] write shared t: f32[64]
    grid 256 workgroup 32 or 64 or 128
    var a = 1.0
    for i in 0 .. 100000 { a = a * 0.5 }
    barrier
    y[invocation.x] = a })");
  EXPECT_EQ(fewest_groups(program, {.compute_units = 3}), 4U);
  EXPECT_EQ(fewest_groups(program, {.compute_units = 1}), 1U);
}

// Whether some member has vectors along loops and along x.
bool has_both_vectors(std::string_view loops) {
  const ir::Program program =
      parsed(std::string(
                 "program p { uniform n: u32 = 64 buffer a: f32[n * n] read buffer y: f32[n] write "
                 "grid n reassociate  let i = invocation.x  var s = 0.0 ") +
             std::string(loops) + " y[i] = s }");
  const space::Space space = space_of(program);
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    if (schedule["vector"] > 1 && schedule["loop_vector"] > 1) return true;
  }
  return false;
}

TEST(ScheduleSpace, HasVectorsAlongLoopsAndAlongXOnlyForLoopsOfBothKinds) {
  constexpr std::string_view rows = "for k in 0 .. n { s = s + a[i * n + k] }";
  constexpr std::string_view columns = "for k in 0 .. n { s = s + a[k * n + i] }";
  EXPECT_FALSE(has_both_vectors(rows));
  EXPECT_FALSE(has_both_vectors(columns));
  EXPECT_TRUE(has_both_vectors(std::string(rows) + " " + std::string(columns)));
}

TEST(ScheduleSpace, KeepsTilesWithinSharedMemory) {
  const ir::Program program = parsed(gemm);
  const space::Space space = space_of(program, {.shared_bytes = 4096});
  bool tiled = false;
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    ASSERT_LE(4 * schedule["tile"] * (schedule["wg_x"] + schedule["wg_y"]), 4096);
    tiled = tiled || schedule["tile"] > 0;
  }
  EXPECT_TRUE(tiled);
}

TEST(ScheduleSpace, OfAnOrdinaryProgramIsLegalThroughout) {
  const ir::Program program = parsed(gemm);
  const space::Space space = space_of(program);
  EXPECT_GT(space.size(), 1000);
  for (space::Index i = 0; i < space.size(); i += 7) {
    const Schedule schedule = schedule_of(program, space, i);
    const auto made = apply(program, schedule);
    ASSERT_TRUE(made) << to_string(schedule) << ": " << made.error().message;
  }
}

TEST(ScheduleSpace, OfAStencilHasTilesWithBordersThatFitAndAreLegal) {
  const ir::Program program = parsed(R"(program heat { uniform w: u32 = 40
    buffer u: f32[w * w] read
    buffer v: f32[w * w] write
    grid w, w
    let x = invocation.x
    let y = invocation.y
    let i = y * w + x
    if x > 0 & x < w - 1 & y > 0 & y < w - 1 {
      v[i] = u[i - 1] + u[i + 1] + u[i - w] + u[i + w]
    } })");
  const space::Space space = space_of(program, {.shared_bytes = 1024});
  bool items = false;
  for (space::Index i = 0; i < space.size(); i += 3) {
    const Schedule schedule = schedule_of(program, space, i);
    if (schedule["halo"] == 0) continue;
    ASSERT_LE(4 * (schedule["wg_x"] + 2) * (schedule["wg_y"] + 2), 1024U);
    const auto made = apply(program, schedule);
    ASSERT_TRUE(made) << to_string(schedule) << ": " << made.error().message;
    items = items || schedule["items_y"] > 1;
  }
  EXPECT_TRUE(items);
}

TEST(ScheduleSpace, PutsAsManyItemsSideBySideAsThereIsRoomForTheirPrivateBuffers) {
  const ir::Program program = parsed(R"(program p {
    buffer x: f32[64 * 64] read
    buffer y: f32[64 * 64] write
    private own: f32[300]
    grid 64, 64
    let i = invocation.y * 64 + invocation.x
    own[i % 300] = x[i]
    y[i] = own[i % 300]
  })");
  const space::Space space = space_of(program);
  std::uint32_t most = 0;
  for (space::Index i = 0; i < space.size(); ++i) {
    const Schedule schedule = schedule_of(program, space, i);
    const bool jammed = schedule["order"] == 2;
    const std::uint32_t items = jammed ? schedule["items_x"] * schedule["items_y"] : 1;
    most = std::max(most, items * schedule["vector"]);
    if (i % 97 != 0) continue;
    ASSERT_TRUE(apply(program, schedule)) << to_string(schedule);
  }
  EXPECT_EQ(most, 12U);
}

TEST(ScheduleSpace, KeepsTheOrderOfItsParametersAndConstraints) {
  // Seeds and indices that were written down depend on it.
  const auto definition = schedule_space(parsed(gemm)).value();
  std::vector<std::string> text;
  for (const space::Parameter& parameter : definition.parameters) text.push_back(parameter.name);
  for (const space::Expression& constraint : *definition.constraints) {
    text.push_back(std::string(constraint.text()));
  }
  EXPECT_EQ(text, (std::vector<std::string>{
                      "wg_x",
                      "wg_y",
                      "unroll",
                      "vector",
                      "items_x",
                      "items_y",
                      "order",
                      "tile",
                      "wg_x * wg_y <= 1024",
                      "wg_x * items_x * vector <= 128",
                      "wg_y * items_y <= 64",
                      "order == 'contiguous' or items_x * items_y > 1",
                      "order != 'jammed' or items_x * items_y <= 16",
                      "tile == 0 or wg_x > 1 or wg_y > 1",
                      "tile == 0 or 4 * tile * wg_y + 4 * tile * wg_x <= 32768",
                      "tile == 0 or vector == 1",
                      "tile == 0 or wg_x % items_x == 0",
                      "tile == 0 or wg_y % items_y == 0",
                      "tile == 0 or items_x * items_y == 1 or order == 'jammed'",
                  }));
}

TEST(ScheduleSpace, OfAProgramThatCannotBeLaunchedIsAnError) {
  EXPECT_FALSE(schedule_space(parsed("program p { uniform n: u32 = 0 grid n }")));
}

TEST(ScheduleSpace, TakesAWorkgroupWhereItIsAmongTheParameters) {
  const space::Space space = space_of(parsed(gemm));
  const auto parameters = space.parameters();
  EXPECT_TRUE(has_workgroup(parameters));
  auto values = space.values(0);
  put_workgroup({8, 4, 1}, parameters, values);
  EXPECT_EQ(values[0], space::Value(std::int64_t{8}));
  EXPECT_EQ(values[1], space::Value(std::int64_t{4}));
  EXPECT_FALSE(has_workgroup(std::vector<space::Parameter>{{"layout", {}}}));
  EXPECT_EQ(workgroup_text({8, 4, 1}), "wg_x=8 wg_y=4 wg_z=1");
}

}  // namespace
}  // namespace vyre::schedule
