// Kernels as they are written by hand for GPUs, in every workgroup that they list, unrolled, with
// vectors, items side by side and groups in turn: they give what they give as they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "schedule/cases.h"
#include "support/programs.h"
#include "support/random_program.h"
#include "support/random_source.h"

namespace vyre::schedule {
namespace {

using testing::RandomSource;

// The sums of blocks of 32, by a tree.
constexpr std::string_view tree_sum = R"(program tree {{
  uniform n: u32 = {0}
  buffer x: u32[n] read
  buffer sums: u32[(n + 31) / 32] write
  shared t: u32[workgroup.x]
  grid (n + 31) / 32 * workgroup.x
  workgroup 8 or 1 or 2 or 4 or 16 or 32
  let l = local.x
  var sum = 0
  for k in 0 .. 32 step workgroup.x {{
    let i = group.x * 32 + k + l
    if i < n {{ sum += x[i] }}
  }}
  t[l] = sum
  barrier
  var width = workgroup.x / 2
  for round in 0 .. 5 {{
    if l < width {{ t[l] += t[l + width] }}
    barrier
    width = width / 2
  }}
  if l == 0 {{ sums[group.x] = t[0] }}
}})";

// Through a tile with a column of padding.
constexpr std::string_view tiled_transpose = R"(program transpose {{
  uniform w: u32 = {0}
  uniform h: u32 = {1}
  buffer a: f32[h * w] read
  buffer t: f32[w * h] write
  shared tile: f32[(workgroup.x + 1) * workgroup.x]
  grid (w + workgroup.x - 1) / workgroup.x * workgroup.x, (h + workgroup.x - 1) / workgroup.x * workgroup.y
  workgroup 8, 8 or 8, 2 or 4, 4 or 4, 1 or 2, 2
  let side = workgroup.x
  let x = invocation.x
  for k in local.y .. side step workgroup.y {{
    let y = group.y * side + k
    if x < w & y < h {{ tile[k * (side + 1) + local.x] = a[y * w + x] }}
  }}
  barrier
  let to = group.y * side + local.x
  for k in local.y .. side step workgroup.y {{
    let from = group.x * side + k
    if from < w & to < h {{ t[from * h + to] = tile[local.x * (side + 1) + k] }}
  }}
}})";

// Prefix sums of blocks of 16, by doubling.
constexpr std::string_view block_scan = R"(program scan {{
  uniform blocks: u32 = {0}
  buffer x: i32[blocks * 16] read
  buffer y: i32[blocks * 16] write
  shared t: i32[32]
  grid blocks * workgroup.x
  workgroup 16 or 8 or 4 or 1
  for k in local.x .. 16 step workgroup.x {{ t[k] = x[group.x * 16 + k] }}
  barrier
  for round in 0 .. 4 {{
    let from = round % 2 * 16
    let to = 16 - from
    for k in local.x .. 16 step workgroup.x {{
      if k >= 1 << round {{
        t[to + k] = t[from + k] + t[from + k - (1 << round)]
      }} else {{
        t[to + k] = t[from + k]
      }}
    }}
    barrier
  }}
  for k in local.x .. 16 step workgroup.x {{ y[group.x * 16 + k] = t[k] }}
}})";

constexpr std::string_view tiled_product = R"(program product {{
  buffer a: f32[64] read
  buffer b: f32[64] read
  buffer c: f32[64] write
  shared at: f32[workgroup.x * workgroup.y]
  shared bt: f32[workgroup.x * workgroup.y]
  grid 8, 8
  workgroup 4, 4 or 2, 2 or 8, 8
  let x = local.x
  let y = local.y
  let side = workgroup.x
  var sum = 0.0
  for tile in 0 .. 8 step workgroup.x {{
    at[y * side + x] = a[invocation.y * 8 + tile + x]
    bt[y * side + x] = b[(tile + y) * 8 + invocation.x]
    barrier
    for j in 0 .. side {{ sum = fma(at[y * side + j], bt[j * side + x], sum) }}
    barrier
  }}
  c[invocation.y * 8 + invocation.x] = sum
}})";

constexpr std::string_view shared_histogram = R"(program histogram {{
  uniform n: u32 = {0}
  buffer data: u32[n] read
  buffer bins: u32[8] read_write
  shared counts: u32[8]
  grid {1} * workgroup.x
  workgroup 8 or 1 or 2 or 4
  for b in local.x .. 8 step workgroup.x {{ counts[b] = 0 }}
  barrier
  for i in invocation.x .. n step grid.x {{ atomic counts[data[i] & 7] += 1 }}
  barrier
  for b in local.x .. 8 step workgroup.x {{ atomic bins[b] += counts[b] }}
}})";

constexpr std::array kernels = {tree_sum, tiled_transpose, block_scan, tiled_product,
                                shared_histogram};

// All but the workgroup, which is in the schedule already.
void set_steps_in_groups(Schedule& schedule, RandomSource& random) {
  constexpr std::array<std::uint32_t, 5> factors = {1, 1, 2, 4, 8};
  schedule.set("unroll", random.one_in(2) ? 1 : 1 + random.below(5));
  if (random.one_in(2)) schedule.set("vector", random.pick(factors));
  if (random.one_in(2)) schedule.set("items_x", random.pick(factors));
  if (random.one_in(2)) schedule.set("items_y", random.pick(factors));
  schedule.set("order", 2);
  schedule.set("group_turns", 1 + random.below(4));
}

Case random_groups(std::uint64_t seed) {
  constexpr std::array<std::uint32_t, 6> sizes = {1, 3, 8, 16, 33, 70};
  RandomSource random(seed);
  Case made{testing::parsed(fmt::format(fmt::runtime(random.pick(kernels)), random.pick(sizes),
                                        random.pick(sizes))),
            {}};
  const auto& others = made.program.other_workgroups;
  const std::uint32_t one = random.below(static_cast<std::uint32_t>(others.size()) + 1);
  const Extent workgroup = one == others.size() ? made.program.workgroup : others[one];
  made.schedule = default_schedule(made.program);
  made.schedule.set("wg_x", workgroup[0]);
  made.schedule.set("wg_y", workgroup[1]);
  set_steps_in_groups(made.schedule, random);
  return made;
}

TEST(GroupKernels, GiveTheSameBitsOnTheInterpreter) { expect_same_bits(random_groups, 800, 300); }

testing::Content left_behind(const ir::Program& program, testing::Content content) {
  const auto ran = interpret::run(program, {}, testing::spans(content));
  EXPECT_TRUE(ran) << to_string(ran.error()) << "\n" << print(program);
  return content;
}

// Random programs with barriers, in the workgroup that they have.
TEST(GroupKernels, OfAnyKindGiveTheSameValuesOnTheInterpreter) {
  int applied = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const testing::Generated from = testing::random_program(seed);
    RandomSource random(seed);
    Schedule schedule = default_schedule(from.program);
    set_steps_in_groups(schedule, random);
    const auto made = apply(from.program, schedule);
    if (!made) continue;
    ++applied;
    const auto differs = testing::first_difference(
        from.program, left_behind(from.program, from.buffers), left_behind(*made, from.buffers), 0);
    ASSERT_FALSE(differs) << *differs << "\n"
                          << to_string(schedule) << "\n"
                          << print(from.program) << print(*made);
  }
  EXPECT_GE(applied, 75);
}

TEST(GroupKernels, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  expect_agreement_on_device(random_groups, 25);
}

}  // namespace
}  // namespace vyre::schedule
