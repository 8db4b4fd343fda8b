#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/vyre.h"

namespace vyre::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* sums = R"(program sums {
  uniform n: u32 = 4096
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  let i = invocation.x
  var a = x[i]
  for k in 0 .. STEPS {
    a = a + f32(k)
  }
  y[i] = a
})";

std::string steps(int count) {
  std::string text = sums;
  return text.replace(text.find("STEPS"), 5, std::to_string(count));
}

TEST(TimeCommand, PrintsATableWithIntervalsAndRanks) {
  const TemporaryDirectory files;
  const auto slow = files.write("slow.vy", steps(4000));
  const auto fast = files.write("fast.vy", steps(400));
  const auto timed = vyre({"time", slow, fast, "--in", "x=ramp"});
  EXPECT_EQ(timed.status, 0) << timed.err;
  EXPECT_TRUE(timed.out.starts_with("PROGRAM ")) << timed.out;
  EXPECT_TRUE(contains(timed.out, "95 % INTERVAL")) << timed.out;
  EXPECT_TRUE(contains(timed.out, "winner")) << timed.out;
  EXPECT_TRUE(contains(timed.out, "slower")) << timed.out;
  EXPECT_LT(timed.out.find("slow.vy"), timed.out.find("fast.vy"));
}

TEST(TimeCommand, PrintsEverythingAsJson) {
  const TemporaryDirectory files;
  const auto file = files.write("one.vy", steps(10));
  const auto timed =
      vyre({"time", file, "--in", "x=ramp", "--set", "n=64", "--device", "reference", "--json"});
  EXPECT_EQ(timed.status, 0) << timed.err;
  const Json all = Json::parse(timed.out);
  EXPECT_EQ(all.at("winner"), file);
  EXPECT_EQ(all.at("basis"), "cpu");
  const Json& row = all.at("programs").at(0);
  EXPECT_EQ(row.at("verdict"), "correct");
  EXPECT_EQ(row.at("rank"), "winner");
  EXPECT_GE(row.at("samples").size(), 5U);
  EXPECT_GT(row.at("samples").at(0).at("wall_ns").get<double>(), 0);
  EXPECT_EQ(row.at("time_interval_ns").size(), 2U);
}

// All of it would take the interpreter more steps than its limit.
TEST(TimeCommand, TimesAProgramThatIsTooLongForTheInterpreter) {
  const TemporaryDirectory files;
  const auto file = files.write("long.vy", steps(6000));
  const auto timed = vyre({"time", file, "--set", "n=65536", "--budget", "100ms", "--json"});
  EXPECT_EQ(timed.status, 0) << timed.err;
  EXPECT_EQ(Json::parse(timed.out).at("programs").at(0).at("verdict"), "correct") << timed.out;
}

// The program as it is, and with a schedule beside it.
TEST(TimeCommand, ComparesAScheduleWithTheProgramAsItIs) {
  const TemporaryDirectory files;
  const auto file = files.write("one.vy", steps(400));
  const auto timed =
      vyre({"time", file, "--schedule", "wg_x=8 vector=4", "--budget", "200ms", "--json"});
  EXPECT_EQ(timed.status, 0) << timed.err;
  const Json rows = Json::parse(timed.out).at("programs");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at(0).at("file"), file);
  EXPECT_FALSE(rows.at(0).contains("schedule"));
  EXPECT_EQ(rows.at(1).at("file"), file);
  EXPECT_EQ(rows.at(1).at("schedule"), "wg_x=8 vector=4");
  for (const Json& row : rows) EXPECT_EQ(row.at("verdict"), "correct") << row;
}

TEST(TimeCommand, AScheduleThatIsNotLegalIsARowWithItsReason) {
  const TemporaryDirectory files;
  const auto file = files.write("one.vy", steps(10));
  const std::vector<std::string> call = {"time",      file,    "--schedule", "gather=1", "--device",
                                         "reference", "--set", "n=64",       "--budget", "100ms"};
  const auto timed = vyre(call);
  EXPECT_EQ(timed.status, 2) << timed.err;
  EXPECT_TRUE(contains(timed.out, file + " gather=1  -")) << timed.out;
  EXPECT_TRUE(contains(timed.out, "winner")) << timed.out;
  EXPECT_TRUE(contains(timed.err, "--schedule \"gather=1\": cannot gather atomic adds"))
      << timed.err;
}

TEST(TimeCommand, TakesTimesOfLaunchesBackToBackToo) {
  const TemporaryDirectory files;
  const auto file = files.write("one.vy", steps(400));
  const std::vector<std::string> call = {"time", file, "--budget", "200ms"};
  EXPECT_TRUE(contains(vyre(call).out, "BACK TO BACK"));
  std::vector<std::string> as_json = call;
  as_json.emplace_back("--json");
  const Json row = Json::parse(vyre(as_json).out).at("programs").at(0);
  EXPECT_GT(row.at("back_to_back_ns"), 0);
  EXPECT_LE(row.at("back_to_back_interval_ns").at(0), row.at("back_to_back_ns"));
  EXPECT_GE(row.at("back_to_back_interval_ns").at(1), row.at("back_to_back_ns"));
  EXPECT_GE(row.at("back_to_back_launches"), 1);
}

// The store has a decision for one of two sizes.
TEST(TimeCommand, TimesAProgramAsTheStoreSays) {
  const TemporaryDirectory files;
  const auto file = files.write("one.vy", steps(4));
  const std::map<std::string, std::string> store = {
      {"XDG_CACHE_HOME", (files.path() / "cache").string()}};
  const std::vector<std::string> call = {"time", file, "--tuned", "--budget", "100ms", "--json"};
  const auto nothing = vyre(call, store);
  EXPECT_EQ(nothing.status, 2);
  EXPECT_TRUE(contains(nothing.err, "nothing is stored for program sums: `vyre tune` decides"))
      << nothing.err;
  const Json rows = Json::parse(nothing.out).at("programs");
  EXPECT_EQ(rows.at(0).at("verdict"), "correct") << "the program as it is";
  EXPECT_EQ(rows.at(1).at("verdict"), "input");

  const Json tuned =
      Json::parse(vyre({"tune", file, "--budget", "6", "--json"}, store).out).at("programs").at(0);
  const bool stays = tuned.at("gain") != "faster than the default";
  const auto exact = vyre(call, store);
  EXPECT_EQ(exact.status, 0) << exact.err;
  EXPECT_TRUE(contains(exact.err, stays ? "exact: as it is" : "exact: ")) << exact.err;
  EXPECT_EQ(Json::parse(exact.out).at("programs").size(), stays ? 1U : 2U);
  std::vector<std::string> other_size = call;
  other_size.insert(other_size.end(), {"--set", "n=1000"});
  EXPECT_TRUE(contains(vyre(other_size, store).err, "nearest size")) << exact.err;
  EXPECT_EQ(vyre({"time", file, "--tuned", "--schedule", "wg_x=8"}, store).status, 2);
}

TEST(TimeCommand, AProgramThatRunsTooLongIsReportedAndTheOthersAreTimed) {
  const TemporaryDirectory files;
  const auto endless = files.write("endless.vy", steps(2'000'000'000));
  const auto fast = files.write("fast.vy", steps(10));
  const auto timed = vyre({"time", endless, fast, "--in", "x=ramp", "--no-check", "--limit", "1"});
  EXPECT_EQ(timed.status, 1);
  EXPECT_TRUE(contains(timed.out, "failed: timeout")) << timed.out;
  EXPECT_TRUE(contains(timed.out, "winner")) << timed.out;
  EXPECT_TRUE(contains(timed.err, "endless.vy: timeout: running it took longer than 1 s"))
      << timed.err;
}

TEST(TimeCommand, AProgramThatIsWrongIsARowWithItsReasonAndTheOthersAreTimed) {
  const TemporaryDirectory files;
  const auto bad = files.write("bad.vy", "program {");
  const auto race = files.write("race.vy",
                                "program race { buffer y: u32[4] write grid 8 "
                                "y[invocation.x % 4] = invocation.x }");
  const auto good = files.write("good.vy", steps(10));
  const std::vector<std::string> call = {"time",     bad,         race,       good,
                                         "--device", "reference", "--budget", "100ms"};
  std::vector<std::string> as_json = call;
  as_json.emplace_back("--json");
  const auto timed = vyre(as_json);
  EXPECT_EQ(timed.status, 2) << timed.err;
  const Json rows = Json::parse(timed.out).at("programs");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows.at(0).at("file"), bad);
  EXPECT_EQ(rows.at(0).at("verdict"), "input");
  EXPECT_TRUE(contains(rows.at(0).at("reason"), "1:9: ")) << rows.at(0);
  EXPECT_EQ(rows.at(1).at("file"), race);
  EXPECT_EQ(rows.at(1).at("verdict"), "runtime");
  EXPECT_EQ(rows.at(2).at("verdict"), "correct");
  EXPECT_EQ(Json::parse(timed.out).at("winner"), good);
  const auto table = vyre(call);
  EXPECT_EQ(table.status, 2);
  EXPECT_TRUE(contains(table.out, "failed: input")) << table.out;
  EXPECT_TRUE(contains(table.out, "winner")) << table.out;
}

TEST(TimeCommand, ProgramsThatAreAllWrongNeedNoDevice) {
  const TemporaryDirectory files;
  const auto timed =
      vyre({"time", files.write("bad.vy", "program {"), "--device", "opencl:77", "--json"});
  EXPECT_EQ(timed.status, 2);
  const Json all = Json::parse(timed.out);
  EXPECT_TRUE(all.at("device").is_null());
  EXPECT_EQ(all.at("programs").size(), 1U);
}

TEST(TimeCommand, RefusesALimitOfNothing) {
  const TemporaryDirectory files;
  const auto file = files.write("one.vy", steps(10));
  for (const auto* limit : {"0", "-1", "nan", "1e30", "0ms", "2 weeks", "soon"}) {
    const auto timed = vyre({"time", file, "--limit", limit});
    EXPECT_EQ(timed.status, 2) << limit;
    EXPECT_NE(timed.err, "") << limit;
  }
}

TEST(TimeCommand, TakesTimesWithAUnitOrInSeconds) {
  const TemporaryDirectory files;
  const auto file = files.write("one.vy", steps(10));
  for (const auto* time : {"100ms", "0.1s", "0.1"}) {
    const auto timed = vyre({"time", file, "--device", "reference", "--in", "x=ramp", "--set",
                             "n=64", "--budget", time, "--limit", "1m"});
    EXPECT_EQ(timed.status, 0) << timed.err;
  }
}

TEST(TimeCommand, RefusesANegativeSeed) {
  const TemporaryDirectory files;
  const auto timed = vyre({"time", files.write("one.vy", steps(10)), "--seed", "-1"});
  EXPECT_EQ(timed.status, 2);
  EXPECT_TRUE(contains(timed.err, "--seed: it cannot be negative")) << timed.err;
}

TEST(TimeCommand, HasTheUsualExitStatuses) {
  const TemporaryDirectory files;
  const auto file = files.write("one.vy", steps(10));
  EXPECT_EQ(vyre({"time"}).status, 2);
  EXPECT_EQ(vyre({"time", "/nonexistent.vy"}).status, 2);
  EXPECT_EQ(vyre({"time", files.write("bad.vy", "program {")}).status, 2);
  EXPECT_EQ(vyre({"time", file, "--in", "nothing=ramp"}).status, 2);
  EXPECT_EQ(vyre({"time", file, "--device", "opencl:77"}).status, 3);
  const auto none = vyre({"time", file}, {{"OCL_ICD_VENDORS", "/nonexistent"}});
  EXPECT_EQ(none.status, 3);
  EXPECT_TRUE(contains(none.err, "pocl-opencl-icd")) << none.err;
}

TEST(TimeCommand, AMistakeThatTheInterpreterFindsIsAtItsPlace) {
  const TemporaryDirectory files;
  const auto file = files.write("race.vy",
                                "program race {\n  buffer y: u32[4] write\n  grid 8\n"
                                "  y[invocation.x % 4] = invocation.x\n}\n");
  const auto timed = vyre({"time", file});
  EXPECT_EQ(timed.status, 1);
  EXPECT_TRUE(contains(timed.err, "race.vy:4:3:")) << timed.err;
}

}  // namespace
}  // namespace vyre::testing
