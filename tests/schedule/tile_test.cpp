#include "schedule/tile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interpret/interpret.h"
#include "run/data.h"
#include "support/agree.h"
#include "support/programs.h"
#include "vyre/ir/size.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::Content;
using testing::parsed;

constexpr std::string_view gemm_format = R"(program gemm {{
  uniform m: u32 = {}
  uniform n: u32 = {}
  uniform k: u32 = {}
  buffer a: f32[m * k] read
  buffer b: f32[k * n] read
  buffer c: f32[m * n] read_write
  grid n, m
  workgroup 16, 16
  let row = invocation.y
  let column = invocation.x
  var sum = 0.0
  for i in 0 .. k {{
    sum = fma(a[row * k + i], b[i * n + column], sum)
  }}
  let at = row * n + column
  c[at] = sum + c[at]
}})";

Content interpreted(const ir::Program& program) {
  Content content;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory != ir::Memory::global) continue;
    const auto count = ir::evaluate_size(program, buffer.count);
    content.push_back(run::make_data("random:1", buffer.element, count.value()).value());
  }
  const auto ran = interpret::run(program, {}, testing::spans(content));
  EXPECT_TRUE(ran) << to_string(ran.error()) << print(program);
  return content;
}

std::string refusal(std::string_view text) {
  const auto made = tiled(parsed(text), {.workgroup = {4, 4, 1}, .depth = 8});
  return made ? "not refused" : made.error().message;
}

TEST(Tiling, BringsWhatAGroupSharesIntoSharedMemory) {
  const auto made = tiled(parsed(R"(program gemm {
    buffer a: f32[64] read
    buffer b: f32[64] read
    buffer c: f32[64] write
    grid 8, 8
    var sum = 0.0
    for i in 0 .. 8 {
      sum = fma(a[invocation.y * 8 + i], b[i * 8 + invocation.x], sum)
    }
    c[invocation.y * 8 + invocation.x] = sum
  })"),
                          {.workgroup = {4, 2, 1}, .depth = 4});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program gemm {
    buffer a: f32[64] read
    buffer b: f32[64] read
    buffer c: f32[64] write
    shared a_tile: f32[8]
    shared b_tile: f32[16]
    grid 8, 8
    workgroup 4, 2
    var sum = 0.0
    for tile in 0 .. 2 {
      let i_start = tile * 4
      for element in local.y * 4 + local.x .. 8 step 8 {
        let at = i_start + element % 4
        let at_2 = group.y * 2 + element / 4
        a_tile[element] = a[at_2 * 8 + at]
      }
      for element_2 in local.y * 4 + local.x .. 16 step 8 {
        let at_3 = group.x * 4 + element_2 % 4
        let at_4 = i_start + element_2 / 4
        b_tile[element_2] = b[at_4 * 8 + at_3]
      }
      barrier
      for in_tile in 0 .. min(8 - i_start, 4) {
        let i = i_start + in_tile
        sum = fma(a_tile[in_tile + local.y * 4], b_tile[local.x + in_tile * 4], sum)
      }
      barrier
    }
    c[invocation.y * 8 + invocation.x] = sum
  })")));
}

TEST(Tiling, GivesTheSameBitsForSizesThatDivideAndThatDoNot) {
  for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{
           {16, 16, 16}, {5, 7, 9}, {1, 1, 1}, {17, 33, 20}, {8, 3, 1}}) {
    const ir::Program program = parsed(fmt::format(gemm_format, m, n, k));
    for (const Tiling& tiling : {Tiling{{4, 4, 1}, 8}, Tiling{{8, 2, 1}, 3}, Tiling{{1, 8, 1}, 16},
                                 Tiling{{3, 5, 1}, 1}}) {
      const auto made = tiled(program, tiling);
      ASSERT_TRUE(made) << made.error().message;
      EXPECT_TRUE(interpreted(*made) == interpreted(program))
          << m << " x " << n << " x " << k << "\n"
          << print(*made);
    }
  }
}

TEST(Tiling, LeavesLoadsAloneThatAllInvocationsMakeForThemselves) {
  EXPECT_EQ(
      refusal(R"(program p { buffer x: f32[64] read buffer y: f32[16] write grid 4, 4
    var s = 0.0
    for i in 0 .. 4 { s = s + x[(i * 4 + invocation.y) * 4 + invocation.x] }
    y[invocation.y * 4 + invocation.x] = s })"),
      "cannot tile by 8 in groups of 4 x 4 x 1: in `for i in 0 .. 4 { ... }`, the invocations "
      "of a workgroup load nothing in common");
}

TEST(Tiling, SaysThatThereIsNoLoopWhateverElseIsInTheWay) {
  for (const char* body : {"y[invocation.x] = 1.0", "let v = y[invocation.x]",
                           "y[invocation.x] = 1.0 for i in 1 .. 4 { let v = i }"}) {
    EXPECT_EQ(
        refusal(fmt::format("program p {{ buffer y: f32[16] read_write grid 4, 4 {} }}", body)),
        "cannot tile by 8 in groups of 4 x 4 x 1: there is no loop `for i in 0 .. n` in the "
        "body")
        << body;
  }
}

TEST(Tiling, RefusesWhatSurplusInvocationsMustNotDo) {
  EXPECT_EQ(
      refusal(R"(program p { buffer x: f32[64] read buffer y: f32[16] write grid 4, 4
    y[invocation.y * 4 + invocation.x] = 0.0
    for i in 0 .. 4 { let v = x[i] } })"),
      "cannot tile by 8 in groups of 4 x 4 x 1: in `y[invocation.y * 4 + invocation.x] = 0.0`, "
      "something is stored before the loop's end");
  EXPECT_EQ(refusal(R"(program p { buffer y: f32[16] read_write grid 4, 4
    let mine = y[invocation.y * 4 + invocation.x]
    for i in 0 .. 4 { let v = 1.0 } })"),
            "cannot tile by 8 in groups of 4 x 4 x 1: in `let mine = y[invocation.y * 4 + "
            "invocation.x]`, it reads 'y', which may be written");
  EXPECT_EQ(refusal("program p { grid 4, 4 for i in 0 .. invocation.x { let v = 1 } }"),
            "cannot tile by 8 in groups of 4 x 4 x 1: there is no loop `for i in 0 .. n` in the "
            "body");
}

}  // namespace
}  // namespace vyre::schedule
