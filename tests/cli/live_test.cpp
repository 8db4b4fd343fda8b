// `vyre live`: what it shows, and a real run of it.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/live_view.h"
#include "cli/vyre.h"
#include "support/paths.h"
#include "support/subprocess.h"

namespace vyre::cli {
namespace {

using namespace std::chrono_literals;
using testing::Finished;
using testing::TemporaryDirectory;

LiveMoment moment() {
  tune::LiveStatus status{.searched = false,
                          .arms = {{.configuration = "as it is",
                                    .weight = 0.1,
                                    .ns = 1e6,
                                    .low = 0.9e6,
                                    .high = 1.1e6,
                                    .samples = 20},
                                   {.configuration = "vector=16",
                                    .weight = 0.75,
                                    .ns = 0.25e6,
                                    .low = 0.24e6,
                                    .high = 0.26e6,
                                    .samples = 9},
                                   {.configuration = "wg_x=8", .weight = 0.15}},
                          .best = 1,
                          .speedup = 4,
                          .dispatches = 3000,
                          .tried = 7,
                          .failed = 1,
                          .gained_s = 1.5};
  return {.status = status, .elapsed = 3s, .first_call = 100ms, .rate = 2000};
}

TEST(LiveView, HasALineForWhatMatters) {
  EXPECT_EQ(line_of(moment()),
            "  3.0 s  2000 dispatches/s, 2.00 times as it is; vector=16 (3 take turns); 7 tried, "
            "1 failed; gained 1.5 s");
}

TEST(LiveView, DrawsWeightsAsBarsTheLargestFirst) {
  const std::string picture = picture_of(moment(), 200);
  EXPECT_NE(picture.find("\n  ###############        75 %    250.0 us  vector=16\n"),
            std::string::npos)
      << picture;
  EXPECT_LT(picture.find("  vector=16\n"), picture.find("  wg_x=8\n"));
  EXPECT_LT(picture.find("  wg_x=8\n"), picture.find("  as it is\n"));
}

TEST(LiveView, CutsLinesThatTheTerminalCannotShow) {
  std::istringstream lines(picture_of(moment(), 30));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 30U);
}

TEST(LiveView, SumsUpWithIntervals) {
  EXPECT_EQ(summary_of(moment()),
            "3000 dispatches in 3.0 s\n"
            "as it is: 1.000 ms (0.900 .. 1.100)\n"
            "best:     250.0 us (240.0 .. 260.0), 4.00 times as fast: vector=16\n"
            "7 members tried, 1 failed, 3 took turns; gained 1.5 s\n");
}

class LiveCommand : public ::testing::Test {
 protected:
  Finished live(const std::vector<std::string>& more, const std::string& autotuner = "") {
    std::vector<std::string> words = {"live", std::string(testing::paths::examples) + "/saxpy.vy"};
    words.insert(words.end(), more.begin(), more.end());
    std::map<std::string, std::string> environment = {{"XDG_CACHE_HOME", store_.path().string()}};
    if (!autotuner.empty()) environment["VYRE_AUTOTUNER"] = autotuner;
    return testing::vyre(words, environment);
  }

  TemporaryDirectory store_;
};

TEST_F(LiveCommand, RunsAProgramAndSaysWhatCameOfIt) {
  const Finished run = live({"--dispatches", "200", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json.at("dispatches"), 200);
  EXPECT_EQ(json.at("members").at(0).at("configuration"), "as it is");
  EXPECT_GT(json.at("members").at(0).at("samples"), 0);
  EXPECT_NE(run.err.find(" dispatches/s"), std::string::npos) << "plain lines: " << run.err;
  EXPECT_EQ(run.err.find('\x1b'), std::string::npos);
}

TEST_F(LiveCommand, FindsMembersAndRemembersThem) {
  const Finished run = live({"--for", "15s", "--share", "1", "--stats"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("members tried"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("\n0 members tried"), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("tunings: 1"), std::string::npos) << run.err;
}

TEST_F(LiveCommand, RunsAsItIsWhereNothingIsToBeTuned) {
  const Finished run = live({"--dispatches", "20"}, "off");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out.substr(0, 17), "20 dispatches in ");
  EXPECT_NE(run.err.find("VYRE_AUTOTUNER is off: it ran as wg_x="), std::string::npos) << run.err;
}

TEST_F(LiveCommand, RefusesWhatItCannotDo) {
  EXPECT_EQ(live({"--share", "2"}).status, 2);
  EXPECT_NE(live({"--share", "2"}).err.find("live.share is 2"), std::string::npos);
  EXPECT_EQ(live({"--policy", "best"}).status, 2);
  EXPECT_NE(live({"--policy", "best"}).err.find("thompson"), std::string::npos);
  EXPECT_EQ(live({"--for", "soon"}).status, 2);
}

}  // namespace
}  // namespace vyre::cli
