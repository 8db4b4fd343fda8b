// Loops over loads of every kind that tiling knows, with sizes that divide and sizes that do not:
// tiled, they give what they gave, on the interpreter to the bit and on the OpenCL device.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "interpret/interpret.h"
#include "run/data.h"
#include "support/agree.h"
#include "support/programs.h"
#include "support/random_source.h"
#include "vyre/device/device.h"
#include "vyre/ir/size.h"
#include "vyre/ir/text.h"
#include "vyre/run/run.h"
#include "vyre/schedule/schedule.h"

namespace vyre::schedule {
namespace {

using testing::Content;
using testing::RandomSource;

struct Case {
  ir::Program program;
  Schedule schedule;
};

// Sums products of two loads; every index stays below 64.
Case random_case(std::uint64_t seed) {
  constexpr std::array<std::string_view, 8> indices = {
      "row * k + i", "i * n + column", "i",          "(i + column) % 64",
      "i * m + row", "63 - i",         "i * i % 64", "(row * n + column + i) % 64"};
  constexpr std::array<std::uint32_t, 6> sizes = {1, 2, 3, 5, 7, 8};
  constexpr std::array<std::uint32_t, 5> extents = {1, 2, 3, 4, 8};
  RandomSource random(seed);
  const std::string end = random.one_in(3) ? "8" : "k";
  const std::string text = fmt::format(
      R"(program tiled_{} {{
        uniform m: u32 = {}
        uniform n: u32 = {}
        uniform k: u32 = {}
        buffer a: f32[64] read
        buffer b: i32[64] read
        buffer c: f32[64] read_write
        grid {}, m
        workgroup 8
        let row = invocation.y
        let column = invocation.x
        var sum = 0.5
        for i in 0 .. {} {{
          let factor = f32(b[{}])
          if i % 2 == row % 2 {{ sum = sum * 0.5 }}
          sum = fma(a[{}], factor, sum)
        }}
        c[row * n + column] = sum + c[row * n + column]
      }})",
      seed, random.pick(sizes), random.pick(sizes), random.pick(sizes),
      random.one_in(2) ? "n" : "min(n, 4)", end, random.pick(indices), random.pick(indices));
  Case made{testing::parsed(text), {}};
  made.schedule.set("wg_x", random.pick(extents));
  made.schedule.set("wg_y", random.pick(extents));
  made.schedule.set("wg_z", random.one_in(4) ? 2U : 1U);
  made.schedule.set("tile", 1 + random.below(9));
  made.schedule.set("unroll", 1 + random.below(3));
  return made;
}

Content content_of(const ir::Program& program) {
  Content content;
  for (const ir::Buffer& buffer : program.buffers) {
    const auto count = ir::evaluate_size(program, buffer.count);
    content.push_back(run::make_data("random:1", buffer.element, count.value()).value());
  }
  return content;
}

Content interpreted_content(const ir::Program& program, Content content) {
  const auto ran = interpret::run(program, {}, testing::spans(content));
  EXPECT_TRUE(ran) << to_string(ran.error()) << "\n" << print(program);
  return content;
}

TEST(TiledLoops, GiveTheSameBitsOnTheInterpreter) {
  int applied = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Case from = random_case(seed);
    const auto made = apply(from.program, from.schedule);
    if (!made) continue;
    ++applied;
    const Content content = content_of(from.program);
    ASSERT_TRUE(interpreted_content(*made, content) == interpreted_content(from.program, content))
        << to_string(from.schedule) << "\n"
        << print(from.program) << print(*made);
  }
  EXPECT_GE(applied, 300);
}

TEST(TiledLoops, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  auto device = device::open("opencl");
  ASSERT_TRUE(device) << to_string(device.error());
  std::vector<ir::Program> from;
  std::vector<run::Request> requests;
  for (std::uint64_t seed = 1000; requests.size() < 20; ++seed) {
    const Case one = random_case(seed);
    const auto made = apply(one.program, one.schedule);
    if (!made) continue;
    from.push_back(one.program);
    requests.push_back({*made, {}});
  }
  auto executables = run::compile(**device, requests);
  ASSERT_TRUE(executables) << to_string(executables.error());
  for (std::size_t i = 0; i < from.size(); ++i) {
    Content got = content_of(from[i]);
    const auto ran = testing::launch_on(**device, (*executables)[i], got);
    ASSERT_TRUE(ran) << to_string(ran.error());
    const auto differs =
        testing::first_difference(from[i], interpreted_content(from[i], content_of(from[i])), got);
    EXPECT_FALSE(differs) << *differs << "\n" << print(requests[i].program);
  }
}

}  // namespace
}  // namespace vyre::schedule
