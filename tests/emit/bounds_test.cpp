// Which accesses are proved in bounds. A proved access is emitted plain; the number of the others
// is reported.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "emit/emit.h"
#include "support/paths.h"
#include "support/programs.h"

namespace vyre::emit {
namespace {

std::uint32_t guarded_in(const ir::Program& program, const ir::Uniforms& fixed) {
  const Unit unit{program, fixed};
  const auto source = emit(std::span(&unit, 1), Language::opencl_c);
  if (!source) throw std::runtime_error(to_string(source.error()));
  return source->entries.at(0).guarded;
}

ir::Uniforms defaults(const ir::Program& program) {
  ir::Uniforms all;
  for (const ir::Uniform& uniform : program.uniforms) all[uniform.name] = uniform.value;
  return all;
}

// With every uniform fixed, in a program with f32 buffers x (read) and y of n = 100 elements, h and
// w = 20 by 5, on a grid of w by h.
std::uint32_t guarded(std::string_view statements, std::string_view grid = "w, h") {
  const ir::Program program = testing::parsed(
      "program p { uniform n: u32 = 100 uniform h: u32 = 20 uniform w: u32 = 5\n"
      "buffer x: f32[n] read buffer y: f32[h * w] read_write buffer at: u32[n] read_write\n"
      "shared tile: f32[workgroup.x]\n"
      "grid " +
      std::string(grid) + " workgroup 16\n" + std::string(statements) + "\n}");
  return guarded_in(program, defaults(program));
}

TEST(Bounds, TheInvocationsOwnPlaceIsProved) {
  EXPECT_EQ(guarded("y[invocation.y * w + invocation.x] = x[invocation.x]"), 0U);
  EXPECT_EQ(guarded("let i = invocation.x y[i] = x[i]", "n"), 0U);
  EXPECT_EQ(guarded("let i = invocation.x y[i] = x[i]", "n + 1"), 2U);
}

TEST(Bounds, AnIndexThatWasLoadedIsGuarded) {
  EXPECT_EQ(guarded("y[at[0]] = 1.0"), 1U);
  EXPECT_EQ(guarded("atomic at[at[0]] += 1"), 1U);
  EXPECT_EQ(guarded("y[at[0] % n] = 1.0"), 0U);
  EXPECT_EQ(guarded("y[min(at[0], n - 1)] = 1.0"), 0U);
}

TEST(Bounds, AByteIsAnIndexIntoATableOf256) {
  const auto of = [](const char* element) {
    const std::string text = fmt::format(
        "program p {{ buffer x: {}[64] read  buffer lut: f32[256] read\n"
        "buffer y: f32[64] write  grid 64\n"
        "y[invocation.x] = lut[x[invocation.x]] }}",
        element);
    return guarded_in(testing::parsed(text), {});
  };
  EXPECT_EQ(of("u8"), 0U);
  EXPECT_EQ(of("u16"), 1U);
}

TEST(Bounds, ATestProvesWhatFollowsFromIt) {
  EXPECT_EQ(guarded("let i = invocation.x if i < n { y[i] = x[i] }", "1000"), 0U);
  EXPECT_EQ(guarded("let i = invocation.x if i >= n { } else { y[i] = x[i] }", "1000"), 0U);
  EXPECT_EQ(guarded("let i = at[0] if i == 7 { y[i] = 1.0 } else { y[i] = 1.0 }"), 1U);
  EXPECT_EQ(guarded("let i = at[0] let inside = i < n if inside { y[i] = 1.0 } y[i] = 1.0"), 1U);
  EXPECT_EQ(guarded("let i = at[0] if !(i >= n) & (i != 0) { y[i - 1] = x[i] }"), 0U);
  EXPECT_EQ(guarded("let i = at[0] if (i < n) | (i == 200) { y[i] = 1.0 }"), 1U);
}

TEST(Bounds, ATestAfterALetProvesWhatTheLetHolds) {
  EXPECT_EQ(guarded("let i = invocation.y * w + invocation.x\n"
                    "if invocation.x > 0 & invocation.x < w - 1 & invocation.y > 0 & "
                    "invocation.y + 1 < h { y[i] = x[i - 1] + x[i + 1] + x[i - w] + x[i + w] }"),
            0U);
}

TEST(Bounds, ATestOfAVariableHoldsUntilItIsAssigned) {
  EXPECT_EQ(guarded("var i = at[0] if i < n { y[i] = 1.0 i = i + 1 y[i] = 1.0 }"), 1U);
}

TEST(Bounds, AnIndexThatMayWrapIsGuarded) {
  EXPECT_EQ(guarded("y[invocation.x - 1] = 1.0"), 1U);
  EXPECT_EQ(guarded("y[invocation.y * 1073741824] = 1.0"), 1U);
}

TEST(Bounds, LoopsAndTilesAreProved) {
  EXPECT_EQ(guarded("for k in 0 .. n { y[k] = x[k] }"), 0U);
  EXPECT_EQ(guarded("for k in 0 .. n + 1 { y[k] = 1.0 }"), 1U);
  EXPECT_EQ(guarded("for t in 0 .. n step 10 { for k in 0 .. 10 { y[t + k] = 1.0 } }"), 0U);
  EXPECT_EQ(guarded("for t in 0 .. n step 11 { for k in 0 .. 11 { y[t + k] = 1.0 } }"), 1U);
  EXPECT_EQ(guarded("for k in at[0] .. n step at[1] { y[k] = 1.0 y[n - 1 - k] = 1.0 }"), 0U);
  EXPECT_EQ(guarded("for k in -3i .. 3i { y[u32(k + 3i)] = 1.0 y[u32(k)] = 1.0 }"), 1U);
}

TEST(Bounds, EveryLaneOfAVectorMustBeInside) {
  EXPECT_EQ(guarded("y[invocation.x * 4 : 4] = x[96 : 4]", "25"), 0U);
  EXPECT_EQ(guarded("y[invocation.x * 4 + 1 : 4] = x[97 : 4]", "25"), 2U);
}

TEST(Bounds, SharedMemoryIsAsLargeAsTheWorkgroupOfTheProgram) {
  EXPECT_EQ(guarded("tile[local.x] = 0.0 barrier y[0] = tile[15 - local.x]", "16"), 0U);
  EXPECT_EQ(guarded("tile[local.x + 1] = 0.0", "16"), 1U);
}

TEST(Bounds, SizesThatAreNotFixedProveNothing) {
  const ir::Program program = testing::parsed(
      "program p { uniform n: u32 = 64 buffer x: f32[n] read_write grid n "
      "x[invocation.x] = 1.0 x[0] = 2.0 }");
  EXPECT_EQ(guarded_in(program, defaults(program)), 0U);
  EXPECT_EQ(guarded_in(program, {}), 2U);
}

TEST(Bounds, EveryAccessOfTheExamplesIsProved) {
  for (const auto& entry : std::filesystem::directory_iterator(testing::paths::examples)) {
    if (entry.path().extension() != ".vy") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const ir::Program program = testing::parsed(text.str());
    EXPECT_EQ(guarded_in(program, defaults(program)), 0U) << program.name;
  }
}

}  // namespace
}  // namespace vyre::emit
