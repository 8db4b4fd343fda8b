#include "vyre/ir/compose.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::parsed;

constexpr std::string_view scale = R"(program scale {
  uniform n: u32 = 64
  buffer x: f32[n] read
  buffer t: f32[n] write
  grid n
  let i = invocation.x
  t[i] = x[i] * 2.0
})";

std::string consumer(std::string_view index) {
  return "program shift { uniform n: u32 = 64\nbuffer t: f32[n] read\nbuffer y: f32[n] write\n"
         "grid n\nlet i = invocation.x\ny[i] = t[" +
         std::string(index) + "] + 1.0 }";
}

TEST(Compose, PutsEachPartInARegionAndSharesBuffersByName) {
  const std::vector<Program> parts = {parsed(scale), parsed(consumer("i"))};
  const auto whole = compose("both", parts);
  ASSERT_TRUE(whole) << testing::listed(whole.error());
  EXPECT_EQ(*whole, parsed(R"(program both {
    uniform n: u32 = 64
    buffer x: f32[n] read
    buffer t: f32[n] read_write
    buffer y: f32[n] write
    grid n
    region "scale" {
      let i = invocation.x
      t[i] = x[i] * 2.0
    }
    region "shift" {
      let i_2 = invocation.x
      y[i_2] = t[i_2] + 1.0
    }
  })"))
      << print(*whole);
}

TEST(Compose, KeepsSharedBuffersApart) {
  const Program part = parsed(R"(program part { buffer y: f32[64] write shared tile: f32[64] grid 64
    tile[local.x] = 1.0
    barrier
    y[invocation.x] = tile[63 - local.x] })");
  const std::vector<Program> parts = {part, part};
  const auto whole = compose("twice", parts);
  ASSERT_TRUE(whole) << testing::listed(whole.error());
  EXPECT_EQ(whole->buffers.size(), 3U);
  EXPECT_EQ(whole->buffers[2].name, "tile_2");
}

TEST(Compose, RefusesAValueThatAnotherInvocationWrote) {
  for (const std::string_view index : {"n - 1 - i", "0", "i / 2", "i + 0", "t_index[i]"}) {
    std::string text = consumer(index);
    if (index == "t_index[i]") text.insert(text.find("buffer y"), "buffer t_index: u32[n] read\n");
    const std::vector<Program> parts = {parsed(scale), parsed(text)};
    const auto whole = compose("both", parts);
    ASSERT_FALSE(whole) << index;
    EXPECT_EQ(whole.error()[0].message,
              "'scale' and 'shift' share buffer 't' between invocations: one dispatch cannot order "
              "them; run them one after the other");
  }
}

TEST(Compose, AcceptsTheInvocationsOwnPlaceOnATwoDimensionalGrid) {
  const auto part = [](std::string_view name, std::string_view from, std::string_view to) {
    return parsed("program " + std::string(name) +
                  " { uniform w: u32 = 8\nbuffer a: f32[w * w] read\nbuffer t: f32[w * w] "
                  "read_write\nbuffer c: f32[w * w] write\ngrid w, w workgroup 8, 8\n"
                  "let at = invocation.y * w + invocation.x\n" +
                  std::string(to) + "[at] = " + std::string(from) + "[at] }");
  };
  const std::vector<Program> parts = {part("one", "a", "t"), part("two", "t", "c")};
  EXPECT_TRUE(compose("both", parts));
}

TEST(Compose, RefusesPartsThatDoNotFit) {
  const auto message = [](std::string_view a, std::string_view b) {
    const std::vector<Program> parts = {parsed(a), parsed(b)};
    const auto whole = compose("both", parts);
    return whole ? "" : whole.error()[0].message;
  };
  EXPECT_EQ(message("program a { grid 4 }", "program b { grid 8 }"),
            "'a' and 'b' differ in grid or workgroup");
  EXPECT_EQ(message("program a { uniform n: u32 = 1 }", "program b { uniform n: u32 = 2 }"),
            "uniform 'n' has another type or default in 'b'");
  EXPECT_EQ(message("program a { buffer x: f32[4] read }", "program b { buffer x: f32[5] read }"),
            "buffer 'x' has another type or count in 'b'");
  EXPECT_EQ(compose("none", {}).error()[0].message, "nothing to compose");
}

}  // namespace
}  // namespace vyre::ir
