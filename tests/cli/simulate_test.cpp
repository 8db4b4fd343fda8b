// `vyre simulate` on a small Kernel Tuner cache.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/vyre.h"

namespace vyre::testing {
namespace {

// 8 x 8 configurations; the fastest is 4,32. Where `valid` is false, all fail.
std::string cache(bool valid = true) {
  nlohmann::ordered_json json = {{"device_name", "d"},
                                 {"kernel_name", "k"},
                                 {"problem_size", {1}},
                                 {"tune_params_keys", {"a", "b"}},
                                 {"objective", "time"}};
  for (int a = 1; a <= 128; a *= 2) {
    json["tune_params"]["a"].push_back(a);
    json["tune_params"]["b"].push_back(a);
    for (int b = 1; b <= 128; b *= 2) {
      const double time = 1 + std::abs(a - 4) + 0.1 * std::abs(b - 32);
      nlohmann::ordered_json entry = {{"a", a}, {"b", b}, {"time", time}, {"compile_time", 100}};
      if (!valid) entry["time"] = "CompilationFailedConfig";
      json["cache"][fmt::format("{},{}", a, b)] = entry;
    }
  }
  return json.dump();
}

TEST(Simulate, PrintsScoresAndWritesATrace) {
  const TemporaryDirectory dir;
  const std::string data = dir.write("toy.json", cache());
  const std::string trace = (dir.path() / "trace.jsonl").string();
  const auto ran = vyre({"simulate", data, "--seeds", "3", "--evals", "20", "--trace", trace});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "toy")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "natural")) << ran.out;
  std::ifstream in(trace);
  std::string line;
  for (int seed = 0; seed < 3; ++seed) {
    ASSERT_TRUE(std::getline(in, line));
    const auto run = nlohmann::json::parse(line);
    EXPECT_EQ(run["space"], "toy");
    EXPECT_EQ(run["strategy"], "natural");
    EXPECT_EQ(run["seed"], seed);
    const std::set<std::string> keys = run["evaluations"];
    EXPECT_EQ(keys.size(), 20U);
    EXPECT_TRUE(keys.contains("4,32"));
  }
  EXPECT_FALSE(std::getline(in, line));
}

TEST(Simulate, NotesWhatTheScoreDoesNotKnowOf) {
  const TemporaryDirectory dir;
  const std::string whole = cache();
  const std::string closed = dir.write("closed.json", whole);
  EXPECT_EQ(vyre({"simulate", closed, "--seeds", "1"}).err, "");
  const std::string open = dir.write("open.json", whole.substr(0, whole.rfind(",\"128,128\"") + 1));
  const auto ran = vyre({"simulate", open, "--seeds", "1"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err,
            open +
                ": note: the cache is not closed: its run was cut off or goes on; what is scored "
                "are the 63 configurations in it\n" +
                open +
                ": note: it has 63 of the 64 combinations of its parameters' values; the "
                "others are not valid or were not measured, and are not scored\n");
}

TEST(Simulate, ReadsAPipe) {
  const TemporaryDirectory dir;
  const std::string file = dir.write("toy.json", cache());
  const auto ran =
      run_program({"/bin/bash", "-c", R"("$0" simulate <(cat "$1") --seeds 1)", paths::tool, file});
  EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST(Simulate, ComparesAllStrategiesSideBySide) {
  const TemporaryDirectory dir;
  const auto ran =
      vyre({"simulate", dir.write("a.json", cache()), dir.write("b.json", cache()), "--compare"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* name : {"natural", "gradient", "random", "exhaustive", "mean"}) {
    EXPECT_TRUE(contains(ran.out, name)) << name;
  }
}

TEST(Simulate, RunsWithOneSeedAreTheSameOnAnyNumberOfThreads) {
  const TemporaryDirectory dir;
  const std::string data = dir.write("toy.json", cache());
  std::vector<std::string> traces;
  for (const char* jobs : {"1", "4"}) {
    const std::string trace = (dir.path() / jobs).string();
    EXPECT_EQ(vyre({"simulate", data, "--jobs", jobs, "--trace", trace}).status, 0);
    std::ifstream in(trace);
    traces.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  EXPECT_EQ(traces[0], traces[1]);
}

TEST(Simulate, StatusOneWhereNothingIsValid) {
  const TemporaryDirectory dir;
  const auto ran = vyre({"simulate", dir.write("bad.json", cache(false))});
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(contains(ran.err, "no configuration is valid")) << ran.err;
}

TEST(Simulate, SaysWhereInTheFileItIsWrong) {
  const TemporaryDirectory dir;
  const std::string program = dir.write("not-data.vy", "program p { grid 1 }");
  EXPECT_EQ(vyre({"simulate", program}).err, program + ":1:1: expected an object, found 'p'\n");
  const std::string other = dir.write("other.json", "{}");
  EXPECT_TRUE(contains(vyre({"simulate", other}).err, other + ": neither T4 results"));
}

TEST(Simulate, StatusTwoForAWrongCall) {
  const TemporaryDirectory dir;
  const std::string data = dir.write("toy.json", cache());
  EXPECT_EQ(vyre({"simulate"}).status, 2);
  EXPECT_EQ(vyre({"simulate", "missing.json"}).status, 2);
  EXPECT_EQ(vyre({"simulate", data, "--seeds", "0"}).status, 2);
  for (const char* option : {"--evals", "--budget", "--jobs"}) {
    const auto negative = vyre({"simulate", data, option, "-1"});
    EXPECT_EQ(negative.status, 2);
    EXPECT_TRUE(contains(negative.err, std::string(option) + ": it cannot be negative"));
  }
  const auto ran = vyre({"simulate", data, "--strategy", "best"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(contains(ran.err, "there is no strategy 'best'")) << ran.err;
}

TEST(Simulate, HelpShowsAnExample) {
  const auto ran = vyre({"simulate", "-h"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(contains(ran.out, "vyre simulate gemm-A100.json.gz")) << ran.out;
}

}  // namespace
}  // namespace vyre::testing
