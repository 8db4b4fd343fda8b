// `vyre check` on good and broken programs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/vyre.h"
#include "trial/oclgrind.h"

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

TEST(Check, ReadsAPipeAndRefusesOneThatNobodyWritesTo) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("saxpy.vy", good_saxpy);
  const auto piped =
      run_program({"/bin/bash", "-c", R"("$0" check <(cat "$1"))", paths::tool, file});
  EXPECT_EQ(piped.status, 0) << piped.err;
  const std::string fifo = (dir.path() / "fifo").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const auto checked = vyre({"check", fifo});
  EXPECT_EQ(checked.status, 2);
  EXPECT_EQ(checked.err,
            fifo + ": cannot open: it is a pipe, and nobody has opened it to write for 2000 ms\n");
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

TEST(CheckSchedule, PrintsWhatAScheduleMakesOfAProgram) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("saxpy.vy", good_saxpy);
  const std::vector<std::string> call = {"check", file, "--schedule", "wg_x=8 vector=4"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), call.begin(), call.end());
    return vyre(more);
  };
  const auto text = with({"--emit", "vy"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "workgroup 8\n")) << text.out;
  EXPECT_TRUE(contains(text.out, " : 4]")) << text.out;
  EXPECT_TRUE(contains(with({"--emit", "opencl"}).out, "float4"));
  EXPECT_TRUE(contains(with({"--emit", "cuda"}).out, "vy_load_lanes<4>"));
  // What is printed is the program whose fingerprint is shown.
  const auto again = vyre({"check", dir.write("again.vy", text.out)});
  EXPECT_EQ(again.out.substr(0, 64), with({}).out.substr(0, 64));
  EXPECT_NE(again.out.substr(0, 64), vyre({"check", file}).out.substr(0, 64));
}

TEST(CheckSchedule, ThatIsNotLegalIsRefusedWithTheStepAndTheReason) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("saxpy.vy", good_saxpy);
  const auto refused = vyre({"check", file, "--schedule", "wg_x=8 unroll=4", "--emit", "vy"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(refused.err, file +
                             ": --schedule \"wg_x=8 unroll=4\": cannot unroll by 4: there is no "
                             "innermost loop that it may unroll\n");
  const auto unknown = vyre({"check", file, "--schedule", "speed=11"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(contains(unknown.err, "a schedule has no parameter 'speed'")) << unknown.err;
  EXPECT_EQ(vyre({"check", file, "--schedule", "wg_x=8", "--races"}).status, 2);
}

TEST(CheckSizes, AreThoseThatAreSet) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("saxpy.vy", good_saxpy);
  const auto text = vyre({"check", file, "--set", "n=48", "--emit", "vy"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "uniform n: u32 = 48\n")) << text.out;
  EXPECT_TRUE(contains(vyre({"check", file, "--set", "n=48", "--emit", "opencl"}).out, "48"));
  const auto facts = nlohmann::json::parse(vyre({"check", file, "--set", "n=48", "--json"}).out);
  EXPECT_EQ(facts["programs"][0]["facts"]["float_ops"], 96);
  EXPECT_EQ(vyre({"check", file, "--set", "m=48", "--emit", "vy"}).status, 2);
}

bool has_oclgrind() { return std::filesystem::exists(trial::oclgrind_library()); }

std::string example(const std::string& name) { return paths::examples + ("/" + name); }

std::vector<std::string> all_examples() {
  std::vector<std::string> files;
  for (const char* folder : {"", "plain"}) {
    for (const auto& entry : std::filesystem::directory_iterator(example(folder))) {
      if (entry.path().extension() == ".vy") files.push_back(entry.path());
    }
  }
  return files;
}

TEST(CheckRaces, TheEmittedCodeOfAllExamplesHasNoneAndStaysInBounds) {
  if (!has_oclgrind()) GTEST_SKIP() << "Oclgrind is not installed";
  std::vector<std::string> call = {"check", "--races"};
  const auto files = all_examples();
  ASSERT_GE(files.size(), 13U);
  call.insert(call.end(), files.begin(), files.end());
  const auto checked = vyre(call);
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  for (const std::string& file : files) {
    EXPECT_TRUE(contains(checked.out, "clean  " + file)) << checked.out;
  }
}

TEST(CheckRaces, NamesTheStatementsOfAProgramThatRaces) {
  if (!has_oclgrind()) GTEST_SKIP() << "Oclgrind is not installed";
  const TemporaryDirectory dir;
  const std::string file = dir.write("racing.vy", R"(program racing {
  uniform n: u32 = 1000000
  buffer y: u32[n] write
  grid n
  y[invocation.x / 2] = invocation.x
})");
  const auto checked = vyre({"check", "--races", file});
  EXPECT_EQ(checked.status, 1) << checked.out << checked.err;
  EXPECT_TRUE(checked.err.starts_with(file + ":5:3: ")) << checked.err;
  EXPECT_TRUE(contains(checked.err, "race")) << checked.err;
}

TEST(CheckRaces, KeepsSizesThatAreSetAndSaysWhichItChose) {
  if (!has_oclgrind()) GTEST_SKIP() << "Oclgrind is not installed";
  const std::string saxpy_example = example("saxpy.vy");
  const auto reduced = vyre({"check", "--races", saxpy_example});
  EXPECT_TRUE(contains(reduced.out, " with n=")) << reduced.out;
  const auto set = vyre({"check", "--races", saxpy_example, "--set", "n=100"});
  EXPECT_EQ(set.out, "clean  " + saxpy_example + "\n") << set.err;
}

// The program wants sizes that are multiples of 16.
TEST(CheckRaces, ReducesSizesOnlyAsFarAsTheProgramAllows) {
  if (!has_oclgrind()) GTEST_SKIP() << "Oclgrind is not installed";
  const auto checked = vyre({"check", "--races", example("matmul.vy")});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

TEST(CheckRaces, WhatIsTooSlowForTheSimulatorIsNotCalledClean) {
  if (!has_oclgrind()) GTEST_SKIP() << "Oclgrind is not installed";
  const auto checked =
      vyre({"check", "--races", example("saxpy.vy"), "--set", "n=1000000", "--limit", "50ms"});
  EXPECT_EQ(checked.status, 1) << checked.out << checked.err;
  EXPECT_TRUE(checked.out.starts_with("open ")) << checked.out;
  EXPECT_TRUE(contains(checked.out, "--set")) << checked.out;
}

TEST(CheckRaces, RefusesOptionsThatMeanNothing) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("saxpy.vy", good_saxpy);
  EXPECT_EQ(vyre({"check", file, "--set", "n=4"}).status, 2);
  EXPECT_EQ(vyre({"check", file, "--races", "--json"}).status, 2);
  EXPECT_EQ(vyre({"check", file, "--races", "--limit", "soon"}).status, 2);
}

}  // namespace
}  // namespace vyre::testing
