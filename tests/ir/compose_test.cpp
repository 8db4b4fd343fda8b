#include "vyre/ir/compose.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/launch.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::Launch;
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
  EXPECT_EQ(whole->program, parsed(R"(program both {
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
      << print(whole->program);
}

TEST(Compose, OrderMattersUnlessAllPartsSayThatItDoesNot) {
  std::vector<Program> parts = {parsed(scale), parsed(consumer("i"))};
  parts[0].reassociate = true;
  EXPECT_FALSE(compose("both", parts).value().program.reassociate);
  parts[1].reassociate = true;
  EXPECT_TRUE(compose("both", parts).value().program.reassociate);
}

TEST(Compose, KeepsTheWorkgroupsThatAllPartsListWhichCanTellThemApart) {
  const auto part = [](std::string_view others) {
    return parsed(fmt::format("program part {{ grid 64 workgroup 64{} barrier }}", others));
  };
  const auto others = [](const std::vector<Program>& parts) {
    return compose("whole", parts).value().program.other_workgroups;
  };
  const Program plain = parsed("program plain { grid 64 workgroup 64 let i = invocation.x }");
  EXPECT_EQ(others({part(" or 32 or 16"), plain, part(" or 8 or 16")}),
            (std::vector<Extent>{{16, 1, 1}}));
  EXPECT_TRUE(others({part(" or 32 or 16"), part("")}).empty());
  EXPECT_TRUE(others({plain, plain}).empty());
}

TEST(Compose, KeepsSharedBuffersApart) {
  const Program part = parsed(R"(program part { buffer y: f32[64] write shared tile: f32[64] grid 64
    tile[local.x] = 1.0
    barrier
    y[invocation.x] = tile[63 - local.x] })");
  const std::vector<Program> parts = {part, part};
  const auto whole = compose("twice", parts);
  ASSERT_TRUE(whole) << testing::listed(whole.error());
  EXPECT_EQ(whole->program.buffers.size(), 3U);
  EXPECT_EQ(whole->program.buffers[2].name, "tile_2");
}

TEST(Compose, RefusesAValueThatAnotherInvocationWrote) {
  for (const std::string_view index : {"n - 1 - i", "0", "i / 2", "i + 0", "t_index[i]"}) {
    std::string text = consumer(index);
    if (index == "t_index[i]") text.insert(text.find("buffer y"), "buffer t_index: u32[n] read\n");
    const std::vector<Program> parts = {parsed(scale), parsed(text)};
    const auto whole = compose("both", parts);
    ASSERT_FALSE(whole) << index;
    EXPECT_EQ(whole.error().message,
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
    return whole ? "" : whole.error().message;
  };
  EXPECT_EQ(message("program a { grid 4 }", "program b { grid 8 }"),
            "'a' and 'b' differ in grid or workgroup");
  EXPECT_EQ(message("program a { uniform n: u32 = 1 }", "program b { uniform n: u32 = 2 }"),
            "uniform 'n' has another type or default in 'b'");
  EXPECT_EQ(message("program a { buffer x: f32[4] read }", "program b { buffer x: f32[5] read }"),
            "buffer 'x' has another type or count in 'b'");
  EXPECT_EQ(compose("none", {}).error().message, "nothing to compose");
}

// Two parts that mean different things by n, x, y and t: renamed, they compute what they compute
// one after the other.
TEST(Compose, RenamedPartsComputeWhatTheyComputeOneAfterTheOther) {
  constexpr std::string_view one = R"(program one {
    uniform n: u32 = 3
    buffer x: u32[64] read
    buffer y: u32[64] write
    shared t: u32[64]
    grid 64
    let i = invocation.x
    t[local.x] = x[i] * n
    barrier
    y[i] = t[63 - local.x]
  })";
  constexpr std::string_view two = R"(program two {
    uniform n: f32 = 0.5
    buffer x: f32[128] read
    buffer y: u32[64] read_write
    buffer t: f32[64] write
    grid 64
    let n_2 = invocation.x
    for i in 0 .. 1 { t[n_2] = (x[n_2] + x[n_2 + 64]) * n }
    let x_2 = y[n_2]
    y[n_2] = x_2 + 1
  })";
  const std::vector<Program> parts = {parsed(one), parsed(two)};
  EXPECT_FALSE(compose("both", parts));
  const auto made = compose("both", parts, {.rename = true});
  ASSERT_TRUE(made) << testing::listed(made.error());

  std::vector<std::uint32_t> x(64);
  std::vector<float> x2(128);
  for (std::uint32_t i = 0; i < 64; ++i) x[i] = 5 * i + 1;
  for (std::uint32_t i = 0; i < 128; ++i) x2[i] = static_cast<float>(i) / 4;
  Launch first(one);
  first.set("x", x).run();
  Launch second(two);
  second.set("x", x2).set("y", first.get<std::uint32_t>("y")).run();

  const PartNames::Map& a = made->parts[0].buffers;
  const PartNames::Map& b = made->parts[1].buffers;
  Launch whole(print(made->program));
  whole.set(a.at("x"), x).set(b.at("x"), x2).run();
  EXPECT_EQ(whole.get<std::uint32_t>(b.at("y")), second.get<std::uint32_t>("y"));
  EXPECT_EQ(whole.get<float>(b.at("t")), second.get<float>("t"));
}

TEST(Compose, ReportsTheNamesOfEveryPart) {
  const std::vector<Program> parts = {
      parsed("program a { uniform n: u32 = 1 buffer x: u32[n] read let i = n }"),
      parsed("program b { uniform n: u32 = 2 buffer x: u32[n] read shared s: u32[4] let i = n }"),
      parsed("program c { uniform n: u32 = 2 buffer x_2: u32[n] read let i = n let s = i }")};
  const auto made = compose("all", parts, {.rename = true});
  ASSERT_TRUE(made) << testing::listed(made.error());
  using Map = PartNames::Map;
  using Locals = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(made->parts[0].uniforms, (Map{{"n", "n"}}));
  EXPECT_EQ(made->parts[0].buffers, (Map{{"x", "x"}}));
  EXPECT_EQ(made->parts[0].locals, (Locals{{"i", "i"}}));
  EXPECT_EQ(made->parts[1].uniforms, (Map{{"n", "n_2"}}));
  EXPECT_EQ(made->parts[1].buffers, (Map{{"x", "x_3"}, {"s", "s"}}));  // x_2 is the third part's
  EXPECT_EQ(made->parts[1].locals, (Locals{{"i", "i_2"}}));
  EXPECT_EQ(made->parts[2].uniforms, (Map{{"n", "n_2"}}));  // declared as in the second part
  EXPECT_EQ(made->parts[2].buffers, (Map{{"x_2", "x_2"}}));
  EXPECT_EQ(made->parts[2].locals, (Locals{{"i", "i_3"}, {"s", "s_2"}}));
}

TEST(Compose, RenamesAUniformAndABufferOfOneName) {
  const std::vector<Program> parts = {parsed("program a { uniform x: u32 = 1 }"),
                                      parsed("program b { buffer x: u32[4] read }")};
  EXPECT_FALSE(compose("both", parts));
  const auto made = compose("both", parts, {.rename = true});
  ASSERT_TRUE(made) << testing::listed(made.error());
  EXPECT_EQ(made->parts[1].buffers.at("x"), "x_2");
}

TEST(Compose, RenamingLeavesASharedBufferShared) {
  const std::vector<Program> parts = {parsed(scale), parsed(consumer("n - 1 - i"))};
  EXPECT_FALSE(compose("both", parts, {.rename = true}));
}

TEST(Compose, RenamingDoesNotMakeOneGridOfTwo) {
  const std::vector<Program> parts = {parsed("program a { uniform n: u32 = 1 grid n }"),
                                      parsed("program b { uniform n: u32 = 2 grid n }")};
  const auto made = compose("both", parts, {.rename = true});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "'a' and 'b' differ in grid or workgroup");
}

}  // namespace
}  // namespace vyre::ir
