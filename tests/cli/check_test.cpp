// `vyre check` on good and broken programs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/vyre.h"

namespace vyre::testing {
namespace {

constexpr const char* good_saxpy = R"(program saxpy {
  uniform n: u32 = 1024
  buffer x: f32[n] read
  buffer y: f32[n] read_write
  grid n
  let i = invocation.x
  y[i] = fma(2.0, x[i], y[i])
})";

TEST(Check, PrintsTheFingerprintOfAValidProgram) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("saxpy.vy", good_saxpy);
  const auto checked = vyre({"check", file});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_EQ(checked.out.size(), 64 + 2 + 5 + 2 + file.size() + 1) << checked.out;
  EXPECT_TRUE(checked.out.ends_with("  saxpy  " + file + "\n")) << checked.out;
}

TEST(Check, GivesFactsToScripts) {
  const TemporaryDirectory dir;
  const auto checked = vyre({"check", "--json", dir.write("saxpy.vy", good_saxpy)});
  const auto json = nlohmann::json::parse(checked.out);
  EXPECT_EQ(json["programs"][0]["program"], "saxpy");
  EXPECT_EQ(json["programs"][0]["facts"]["float_ops"], 2048);
  EXPECT_EQ(json["programs"][0]["facts"]["global_bytes_read"], 8192);
}

TEST(Check, ListsAllProblemsWithTheirPlacesAndStatusTwo) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("broken.vy", R"(program broken {
  buffer y: f32[8] write
  grid 8
  y[0] = 1
  let r = y[1] + z
  y[invocation.x] = (2.0
})");
  const auto checked = vyre({"check", file});
  EXPECT_EQ(checked.status, 2);
  EXPECT_EQ(checked.out, "");
  EXPECT_EQ(
      checked.err,
      fmt::format("{0}:4:3: buffer 'y' holds f32, but the value is u32\n"
                  "{0}:5:11: buffer 'y' is write only: declare it read_write to load from it\n"
                  "{0}:5:18: unknown name 'z'\n"
                  "{0}:7:1: expected ')' to close the parenthesis, found '}}'\n",
                  file));
}

TEST(Check, GoesOnWithTheOtherFilesAfterABrokenOne) {
  const TemporaryDirectory dir;
  const auto checked =
      vyre({"check", dir.write("a.vy", "program"), dir.write("b.vy", good_saxpy), "missing.vy"});
  EXPECT_EQ(checked.status, 2);
  EXPECT_TRUE(contains(checked.out, "saxpy")) << checked.out;
  EXPECT_TRUE(contains(checked.err, "missing.vy: cannot open: No such file or directory"))
      << checked.err;
}

TEST(Check, RefusesHostileTextWithAMessage) {
  const TemporaryDirectory dir;
  const std::string huge = dir.write("huge.vy", std::string(100 << 20, 'x'));
  const std::string binary = dir.write("binary.vy", std::string("\0\xff\x80program\0", 11));
  const std::string deep = dir.write("deep.vy", "program p { let r = " + std::string(10'000, '('));
  const std::string count = dir.write("count.vy", "program p { buffer x: f32[99999999999] read }");
  for (const std::string& file : {huge, binary, deep, count}) {
    const auto checked = vyre({"check", file});
    EXPECT_EQ(checked.status, 2) << file;
    EXPECT_TRUE(checked.err.starts_with(file + ":")) << checked.err.substr(0, 200);
    EXPECT_EQ(checked.out, "");
  }
}

TEST(Check, PrintsTheSourceThatADeviceWouldCompile) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("saxpy.vy", good_saxpy);
  EXPECT_TRUE(contains(vyre({"check", file, "--emit", "opencl"}).out, "__kernel"));
  EXPECT_TRUE(contains(vyre({"check", file, "--emit", "cuda"}).out, "__global__"));
  EXPECT_TRUE(vyre({"check", file, "--emit", "vy"}).out.starts_with("program saxpy {"));
  EXPECT_EQ(vyre({"check", file, "--emit", "metal"}).status, 2);
}

}  // namespace
}  // namespace vyre::testing
