#include "formats/t4_writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "vyre/formats/recorded.h"

namespace vyre::formats {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds new_year =
    std::chrono::sys_days(std::chrono::year(2026) / 12 / 31) + 23h + 59min + 58s;

Tried correct(std::int64_t block, const char* mode) {
  return {
      .values = {block, 0.5, true, mode},
      .time_ms = 2.5,
      .interval_ms = {2.25, 2.75},
      .runs_ms = {2.25, 2.5, 2.75},
      .cost = {.compile_ms = 100.5, .verification_ms = 3, .benchmark_ms = 40, .framework_ms = 1},
      .at_s = 0.25};
}

Tried failed(std::int64_t block, Verdict verdict) {
  return {.values = {block, 2.0, false, "a"},
          .verdict = verdict,
          .reason = "line 3: \"x\"\nunknown",
          .cost = {.compile_ms = 50},
          .at_s = 2.5};
}

Results sample() {
  return {.kernel = "convolution",
          .sizes = "w=1024",
          .device = "A100",
          .driver = "535.1",
          .strategy = "natural",
          .started = new_year,
          .parameters = {"block", "part", "fast", "mode"},
          .tried = {correct(16, "a"), failed(8, Verdict::compile), failed(4, Verdict::runtime),
                    failed(2, Verdict::correctness), failed(1, Verdict::constraints),
                    failed(32, Verdict::timeout), correct(16, "b")},
          .original = 0,
          .winner = 6,
          .raced = Raced{.original_ms = {3, {2.5, 3.5}},
                         .winner_ms = {2, {1.5, 2.5}},
                         .speedup = {1.5, {1.25, 1.75}}}};
}

// What the schema of T4 1.0.0 asks of a result, written down from it.
void expect_follows_schema(const json& result) {
  const std::set<std::string> words = {"timeout",     "compile",     "runtime",
                                       "correctness", "constraints", "correct"};
  ASSERT_TRUE(result.at("configuration").is_object());
  EXPECT_TRUE(words.contains(result.at("invalidity").get<std::string>()));
  EXPECT_TRUE(result.at("correctness").is_number());
  EXPECT_TRUE(result.at("timestamp").is_string());
  EXPECT_TRUE(result.at("objectives").is_array());
  const json& times = result.at("times");
  for (const char* name : {"compilation_time", "framework", "search_algorithm", "validation"}) {
    EXPECT_TRUE(times.at(name).is_number()) << name;
  }
  EXPECT_TRUE(times.at("runtimes").is_array());
  ASSERT_TRUE(result.at("measurements").is_array());
  for (const json& measured : result.at("measurements")) {
    EXPECT_TRUE(measured.at("name").is_string());
    EXPECT_TRUE(measured.at("value").is_number() || measured.at("value").is_string()) << measured;
    EXPECT_TRUE(measured.at("unit").is_string());
  }
}

json value_of(const json& result, const std::string& name) {
  for (const json& measured : result.at("measurements")) {
    if (measured.at("name") == name) return measured.at("value");
  }
  return {};
}

void expect_same(const Recorded& read, const Results& written) {
  EXPECT_EQ(read.kernel, written.kernel);
  EXPECT_EQ(read.device, written.device);
  ASSERT_EQ(read.space.size(), written.tried.size());
  for (space::Index i = 0; i < read.space.size(); ++i) {
    const Tried& tried = written.tried[i];
    EXPECT_EQ(read.space.values(i), tried.values);
    EXPECT_EQ(read.measurements[i], (Measurement{tried.verdict, tried.time_ms, tried.cost})) << i;
  }
}

TEST(T4Results, FollowTheSchema) {
  const json file = json::parse(t4_text(sample()));
  EXPECT_EQ(file.at("schema_version"), "1.0.0");
  ASSERT_EQ(file.at("results").size(), 7U);
  for (const json& result : file.at("results")) expect_follows_schema(result);
}

TEST(T4Results, OfNothingAreAnEmptyList) {
  EXPECT_EQ(json::parse(t4_text({})).at("results"), json::array());
}

TEST(T4Results, HaveTheTimeWithItsIntervalAndEveryRun) {
  const json file = json::parse(t4_text(sample()));
  const json& result = file.at("results")[0];
  EXPECT_EQ(result.at("configuration"),
            json::parse(R"({"block": 16, "part": 0.5, "fast": true, "mode": "a"})"));
  EXPECT_EQ(result.at("invalidity"), "correct");
  EXPECT_EQ(result.at("correctness"), 1);
  EXPECT_EQ(result.at("objectives"), json::array({"time"}));
  EXPECT_EQ(value_of(result, "time"), 2.5);
  EXPECT_EQ(value_of(result, "time_low"), 2.25);
  EXPECT_EQ(value_of(result, "time_high"), 2.75);
  EXPECT_EQ(result.at("times").at("runtimes"), json::array({2.25, 2.5, 2.75}));
}

TEST(T4Results, NameTheTimeOfCompilingInBothWaysThatAreInUse) {
  const json file = json::parse(t4_text(sample()));
  const json& times = file.at("results")[0].at("times");
  EXPECT_EQ(times.at("compilation"), 100.5);
  EXPECT_EQ(times.at("compilation_time"), 100.5);
}

TEST(T4Results, SayWhyAConfigurationFailed) {
  const json file = json::parse(t4_text(sample()));
  const json& result = file.at("results")[1];
  EXPECT_EQ(result.at("invalidity"), "compile");
  EXPECT_EQ(result.at("correctness"), 0);
  EXPECT_EQ(value_of(result, "reason"), "line 3: \"x\"\nunknown");
  EXPECT_TRUE(value_of(result, "time").is_string());
}

TEST(T4Results, HaveTheMomentAtWhichEachWasDone) {
  const json file = json::parse(t4_text(sample()));
  EXPECT_EQ(file.at("results")[0].at("timestamp"), "2026-12-31T23:59:58.250000+00:00");
  EXPECT_EQ(file.at("results")[1].at("timestamp"), "2027-01-01T00:00:00.500000+00:00");
}

TEST(T4Results, SayWhatWonAndByHowMuch) {
  json metadata = json::parse(t4_text(sample())).at("metadata");
  EXPECT_EQ(metadata.at("original"), 0);
  EXPECT_EQ(metadata.at("winner"), 6);
  EXPECT_EQ(metadata.at("tied"), false);
  EXPECT_EQ(metadata.at("original_time"), 3);
  EXPECT_EQ(metadata.at("winner_time_high"), 2.5);
  EXPECT_EQ(metadata.at("speedup"), 1.5);
  EXPECT_EQ(metadata.at("speedup_low"), 1.25);
  EXPECT_EQ(metadata.at("sizes"), "w=1024");
  Results without = sample();
  without.winner.reset();
  metadata = json::parse(t4_text(without)).at("metadata");
  EXPECT_FALSE(metadata.contains("winner"));
  EXPECT_FALSE(metadata.contains("speedup"));
}

TEST(T4Results, BytesThatAreNotUtf8AreReplaced) {
  Results odd = sample();
  odd.kernel = "k\xff";
  odd.parameters[0] = "b\xc3";
  odd.tried[1].reason = "\xf0\x28 in line 1";
  odd.tried[0].values[3] = std::string("\x80");
  const json file = json::parse(t4_text(odd));
  EXPECT_EQ(file.at("metadata").at("kernel"), "k\xef\xbf\xbd");
  for (const json& result : file.at("results")) expect_follows_schema(result);
  EXPECT_TRUE(parse_recorded(t4_text(odd)));
}

TEST(T4Results, NumbersThatJsonHasNotDoNotBreakTheFile) {
  const double infinity = std::numeric_limits<double>::infinity();
  Results odd = sample();
  odd.tried[0].time_ms = std::numeric_limits<double>::quiet_NaN();
  odd.tried[0].runs_ms[0] = infinity;
  odd.tried[0].values[1] = infinity;
  odd.tried[0].cost.compile_ms = -infinity;
  const json file = json::parse(t4_text(odd));
  expect_follows_schema(file.at("results")[0]);
  EXPECT_TRUE(value_of(file.at("results")[0], "time").is_null()) << "0 would be the best of all";
  EXPECT_EQ(file.at("results")[0].at("times").at("compilation"), 0);
  EXPECT_EQ(file.at("results")[0].at("times").at("runtimes").size(), 2U);
  EXPECT_TRUE(parse_recorded(t4_text(odd)));
}

class T4File : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  static std::string bytes(const std::string& path) {
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("vyre_results_" + std::to_string(::getpid()));
};

TEST_F(T4File, ReadsBackAsItWasWrittenPlainAndCompressed) {
  for (const char* name : {"run.json", "run.json.gz"}) {
    const auto written = write_t4(path(name), sample());
    ASSERT_TRUE(written) << to_string(written.error());
    const auto read = read_recorded(path(name));
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->name, "run");
    expect_same(*read, sample());
  }
  EXPECT_EQ(bytes(path("run.json")), t4_text(sample()));
  EXPECT_TRUE(bytes(path("run.json.gz")).starts_with("\x1f\x8b"));
  EXPECT_EQ(files(), 2U) << "nothing else is left";
}

TEST_F(T4File, MayBeLong) {
  Results many = sample();
  many.tried.clear();
  for (std::int64_t i = 0; i < 12'000; ++i) many.tried.push_back(correct(i, "a"));
  ASSERT_TRUE(write_t4(path("many.json.gz"), many));
  const auto read = read_recorded(path("many.json.gz"));
  ASSERT_TRUE(read) << to_string(read.error());
  expect_same(*read, many);
}

// While it lives, no file may be longer than a few bytes.
class NoRoom {
 public:
  NoRoom() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit few = {16, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &few);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  NoRoom(const NoRoom&) = delete;
  NoRoom& operator=(const NoRoom&) = delete;
  ~NoRoom() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  void (*handler_)(int) = nullptr;
};

TEST_F(T4File, StaysAsItWasIfTheNewOneCannotBeWritten) {
  std::ofstream(path("run.json")) << "old";
  std::optional<NoRoom> no_room(std::in_place);
  const auto written = write_t4(path("run.json"), sample());
  no_room.reset();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::io);
  EXPECT_EQ(bytes(path("run.json")), "old");
  EXPECT_EQ(files(), 1U) << "nothing else is left";
}

TEST_F(T4File, IsReplacedWhereALinkLeads) {
  std::ofstream(path("run.json")) << "old";
  std::filesystem::create_symlink("run.json", path("link.json"));
  ASSERT_TRUE(write_t4(path("link.json"), sample()));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.json")));
  EXPECT_EQ(bytes(path("run.json")), t4_text(sample()));
}

TEST_F(T4File, WhatIsNoFileIsNotReplaced) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(write_t4(path("pipe"), sample()).error().message,
            "cannot write " + path("pipe") + ": nobody reads it");
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_FALSE(write_t4(path(""), sample()));
  EXPECT_FALSE(write_t4(path("none/run.json"), sample()));
}

}  // namespace
}  // namespace vyre::formats
