// `vyre compose`: several files as one program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/vyre.h"

namespace vyre::testing {
namespace {

constexpr const char* scale_text = R"(program scale {
  uniform n: u32 = 8
  buffer x: f32[n] read
  buffer t: f32[n] write
  grid n
  t[invocation.x] = x[invocation.x] * 2.0
})";
constexpr const char* shift_text = R"(program shift {
  uniform n: u32 = 8
  buffer t: f32[n] read
  buffer y: f32[n] write
  grid n
  y[invocation.x] = t[invocation.x] + 1.0
})";

std::string content_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(ComposeCommand, WritesAProgramThatComputesWhatItsPartsDoInTheirOrder) {
  const TemporaryDirectory dir;
  const std::string scale = dir.write("scale.vy", scale_text);
  const std::string shift = dir.write("shift.vy", shift_text);
  const std::string both = (dir.path() / "both.vy").string();
  const auto made = vyre({"compose", scale, shift, "-o", both, "--name", "both"});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.out, "");
  EXPECT_EQ(made.err, "");
  const auto ran = vyre({"run", both, "--device", "reference", "--in", "x=ramp", "--out", "y"});
  EXPECT_EQ(ran.out, "y=1,3,5,7,9,11,13,15\n") << ran.err;
  const std::string text = content_of(both);
  EXPECT_TRUE(text.starts_with("program both {")) << text;
  EXPECT_TRUE(contains(text, "region \"scale\"")) << text;
  EXPECT_TRUE(contains(text, "region \"shift\"")) << text;
}

TEST(ComposeCommand, PrintsTheProgramIfNoFileIsNamed) {
  const TemporaryDirectory dir;
  const auto made = vyre({"compose", dir.write("a.vy", scale_text), dir.write("b.vy", shift_text)});
  EXPECT_EQ(made.status, 0) << made.err;
  const auto checked = vyre({"check", dir.write("c.vy", made.out)});
  EXPECT_TRUE(contains(checked.out, "  composed  ")) << checked.err;
}

TEST(ComposeCommand, SaysWhichNamesItChanged) {
  const TemporaryDirectory dir;
  const std::string a = dir.write("a.vy",
                                  "program a { buffer x: u32[4] write grid 4\n"
                                  "x[invocation.x] = 1 }");
  const std::string b = dir.write("b.vy",
                                  "program b { buffer x: f32[4] write grid 4\n"
                                  "x[invocation.x] = 1.0 }");
  const auto refused = vyre({"compose", a, b});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(refused.err, "vyre: buffer 'x' has another type or count in 'b'\n");
  const auto renamed = vyre({"compose", a, b, "--rename"});
  EXPECT_EQ(renamed.status, 0);
  EXPECT_EQ(renamed.err, b + ": buffer 'x' is 'x_2'\n");
}

TEST(ComposeCommand, RefusesWhatOneDispatchCannotOrder) {
  const TemporaryDirectory dir;
  std::string reversed = shift_text;
  reversed.replace(reversed.find("t[invocation.x]"), 15, "t[n - 1 - invocation.x]");
  const std::string whole = (dir.path() / "whole.vy").string();
  const auto made =
      vyre({"compose", dir.write("a.vy", scale_text), dir.write("b.vy", reversed), "-o", whole});
  EXPECT_EQ(made.status, 2);
  EXPECT_EQ(made.err,
            "vyre: 'scale' and 'shift' share buffer 't' between invocations: one dispatch cannot "
            "order them; run them one after the other\n");
  EXPECT_FALSE(std::filesystem::exists(whole));
}

TEST(ComposeCommand, NeverWritesOverAProgramThatItReads) {
  const TemporaryDirectory dir;
  const std::string a = dir.write("a.vy", scale_text);
  const auto made = vyre({"compose", a, dir.write("b.vy", shift_text), "-o", a});
  EXPECT_EQ(made.status, 2);
  EXPECT_EQ(content_of(a), scale_text);
}

TEST(ComposeCommand, ReportsTheProblemsOfEveryFile) {
  const TemporaryDirectory dir;
  const std::string bad = dir.write("bad.vy", "program bad { grid }");
  const auto made = vyre({"compose", bad, "missing.vy"});
  EXPECT_EQ(made.status, 2);
  EXPECT_TRUE(contains(made.err, bad + ":1:")) << made.err;
  EXPECT_TRUE(contains(made.err, "missing.vy: cannot open")) << made.err;
}

}  // namespace
}  // namespace vyre::testing
