// `vyre tune` on the real device, with a store of its own for each test.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/vyre.h"
#include "support/device.h"
#include "support/paths.h"
#include "vyre/tune/stored_primitives.h"

namespace vyre::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* doubled = R"(program doubled {
  uniform n: u32 = 4096
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  let i = invocation.x
  y[i] = x[i] * 2.0
}
)";
constexpr const char* counted = R"(program counted {
  buffer x: u32[512] read
  buffer y: u32[1] read_write
  grid 512
  atomic y[0] += x[invocation.x]
}
)";

class TuneCommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "tune");
    return vyre(std::move(arguments), {{"XDG_CACHE_HOME", (files().path() / "cache").string()}});
  }
  [[nodiscard]] Json json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const auto ran = run(std::move(arguments));
    EXPECT_EQ(ran.status, 0) << ran.err;
    return Json::parse(ran.out, nullptr, false);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (files().path() / name).string();
  }
  [[nodiscard]] const TemporaryDirectory& files() const { return files_; }
  [[nodiscard]] std::string doubled_file() const { return files().write("doubled.vy", doubled); }

 private:
  TemporaryDirectory files_;
};

TEST_F(TuneCommand, ShowsWhatWasTriedAndWhatWasGained) {
  const auto ran = run({doubled_file(), "--budget", "4", "--stats"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part : {"PROGRAM", "DEFAULT", "SPEED-UP", "doubled", "4 tried"}) {
    EXPECT_TRUE(contains(ran.out, part)) << part << "\n" << ran.out;
  }
  for (const char* part : {"doubled: 1/4 default: ", "the best race", "evaluations: 4"}) {
    EXPECT_TRUE(contains(ran.err, part)) << part << "\n" << ran.err;
  }
}

constexpr const char* row_sums = R"(program row_sums {
  uniform n: u32 = 64
  buffer x: f32[n * 100] read
  buffer y: f32[n] write
  grid n
  var s = 0.0
  for k in 0 .. 100 { s += x[invocation.x * 100 + k] }
  y[invocation.x] = s
}
)";

// Whether that is much faster is for a benchmark; here it is measured.
TEST_F(TuneCommand, MeasuresWhatPermissionToReorderWouldGain) {
  const Json plain =
      json({files().write("sums.vy", row_sums), "--budget", "4"}).at("programs").at(0);
  EXPECT_EQ(plain.at("accepted"), "to the bit; the program as it is agrees with the interpreter");
  EXPECT_GE(plain.at("reordering_gain"), 1.0);
  EXPECT_FALSE(plain.at("configuration").contains("loop_vector"));
  const Json permitted =
      json({path("sums.vy"), "--budget", "4", "--reassociate"}).at("programs").at(0);
  EXPECT_EQ(permitted.at("match"), "tuned") << "another program than without";
  EXPECT_TRUE(permitted.at("configuration").contains("loop_vector"));
  EXPECT_FALSE(permitted.contains("reordering_gain"));
  EXPECT_TRUE(permitted.at("accepted").get<std::string>().starts_with("within 4 times the error"));
  const auto ran = vyre({"run", path("sums.vy"), "--tuned", "--reassociate"},
                        {{"XDG_CACHE_HOME", path("cache")}, {"VYRE_AUTOTUNER", "off"}});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "exact")) << ran.err;
}

TEST_F(TuneCommand, TakesWhatCountsAsRightFromItsCaller) {
  const std::string file = files().write("sums.vy", row_sums);
  const Json row = json({file, "--budget", "2", "--tolerance", "1e-3,1e-5"}).at("programs").at(0);
  EXPECT_TRUE(
      row.at("accepted").get<std::string>().starts_with("within 0.001 of a value or 1e-05"));
  const auto ran = run({file, "--tolerance", "much"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(contains(ran.err, "--tolerance much: give one number")) << ran.err;
}

TEST_F(TuneCommand, MeasuresNothingWhereTheStoreHasTheDecision) {
  const Json first = json({doubled_file(), "--budget", "4"}).at("programs").at(0);
  EXPECT_EQ(first.at("match"), "tuned");
  EXPECT_EQ(first.at("evaluations"), 4);
  EXPECT_LE(first.at("speedup_interval").at(0), first.at("speedup"));
  const Json second = json({doubled_file()}).at("programs").at(0);
  EXPECT_EQ(second.at("match"), "exact");
  EXPECT_EQ(second.at("key"), first.at("key"));
  EXPECT_EQ(second.at("configuration"), first.at("configuration"));
  EXPECT_FALSE(second.contains("evaluations"));
  for (const char* same : {"default_ns", "time_ns", "speedup", "speedup_interval"}) {
    EXPECT_EQ(second.at(same), first.at(same)) << same;
  }
  const Json again = json({doubled_file(), "--budget", "3", "--again"}).at("programs").at(0);
  EXPECT_EQ(again.at("evaluations"), 3);
  const Json other_size = json({doubled_file(), "--budget", "3", "--set", "n=1000"});
  EXPECT_EQ(other_size.at("programs").at(0).at("match"), "tuned");
}

// Searched, and then from the store.
TEST_F(TuneCommand, ExplainsWhatBoundsAProgramAndWhichStepsItRefuses) {
  for (const char* match : {"tuned", "exact"}) {
    const Json row = json({doubled_file(), "--budget", "3", "--explain"}).at("programs").at(0);
    EXPECT_EQ(row.at("match"), match);
    const Json& explain = row.at("explain");
    EXPECT_EQ(explain.at("read_bytes"), 4 * 4096);
    EXPECT_EQ(explain.at("written_bytes"), 4 * 4096);
    EXPECT_EQ(explain.at("float_operations"), 4096);
    EXPECT_GT(explain.at("bound_ns"), 0);
    EXPECT_DOUBLE_EQ(explain.at("reached"),
                     explain.at("bound_ns").get<double>() / row.at("time_ns").get<double>());
  }
  const auto ran = run({doubled_file(), "--explain"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part : {"doubled: bound by ", " of what ", "  no unroll: there is no "}) {
    EXPECT_TRUE(contains(ran.out, part)) << part << "\n" << ran.out;
  }
  EXPECT_FALSE(contains(run({doubled_file()}).out, "bound by"));
}

TEST_F(TuneCommand, ExplainsTheBoundOfAPrimitive) {
  const Json row =
      json({"--primitive", "reduce:4096", "--budget", "2", "--explain"}).at("programs").at(0);
  EXPECT_EQ(row.at("explain").at("read_bytes"), 4 * 4096);
  EXPECT_EQ(row.at("explain").at("steps").size(), 0U);
}

TEST_F(TuneCommand, WritesResultsThatSimulateReads) {
  const auto ran = run({doubled_file(), "--budget", "4", "--output", path("out.json.gz"),
                        "--report", path("page.html")});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto replayed = vyre({"simulate", path("out.json.gz"), "--seeds", "1"});
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_TRUE(contains(files().read("page.html"), "doubled"));
}

TEST_F(TuneCommand, LeavesThePageOfAnEarlierRunWhereNothingIsMeasured) {
  ASSERT_EQ(run({doubled_file(), "--budget", "2", "--report", path("page.html")}).status, 0);
  const std::string before = files().read("page.html");
  const auto again = run({doubled_file(), "--report", path("page.html")});
  EXPECT_TRUE(contains(again.err, "stays as it is")) << again.err;
  EXPECT_EQ(files().read("page.html"), before);
  ASSERT_EQ(run({doubled_file(), "--report", path("other.html")}).status, 0);
  EXPECT_TRUE(contains(files().read("other.html"), "doubled"));
}

TEST_F(TuneCommand, WritesAFileOfResultsForEachOfSeveralPrograms) {
  const auto ran = run({doubled_file(), files().write("counted.vy", counted), "--budget", "2",
                        "--output", path("out.json")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(files().read("out-doubled.json"), "wg_x"));
  EXPECT_TRUE(contains(files().read("out-counted.json"), "gather"));
}

TEST_F(TuneCommand, GivesProgramsOfOneNameFilesOfTheirOwn) {
  const std::string other = files().write("other.vy", doubled);
  const auto ran =
      run({doubled_file(), other, "--budget", "2", "--set", "n=64", "--output", path("out.json")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  // The second has the same key as the first: nothing is left to measure.
  EXPECT_TRUE(contains(ran.err, "--again measures")) << ran.err;
  EXPECT_TRUE(contains(ran.out, "other.vy")) << ran.out;
  const auto primitives = run({"--primitive", "kfac:8x2", "--primitive", "kfac:16x2", "--budget",
                               "2", "--output", path("k.json")});
  EXPECT_EQ(primitives.status, 0) << primitives.err;
  EXPECT_TRUE(contains(files().read("k-kfac-8x2.json"), "layout"));
  EXPECT_TRUE(contains(files().read("k-kfac-16x2.json"), "layout"));
}

TEST_F(TuneCommand, RemembersNothingThatWasComparedWithNothing) {
  const auto ran = run({doubled_file(), "--budget", "1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "nothing is remembered")) << ran.err;
  EXPECT_TRUE(contains(ran.out, "nothing to compare the default with")) << ran.out;
  EXPECT_EQ(json({doubled_file(), "--budget", "2"}).at("programs").at(0).at("match"), "tuned");
}

TEST_F(TuneCommand, RacesWhatItKnowsBeforeItForgetsIt) {
  const Json first = json({doubled_file(), "--budget", "5"}).at("programs").at(0);
  const bool changed = first.at("gain") == "faster than the default";
  const Json again = json({doubled_file(), "--budget", "1", "--again"}).at("programs").at(0);
  EXPECT_EQ(again.at("evaluations"), changed ? 2 : 1);
}

TEST_F(TuneCommand, TunesAProgramThatDoesNothing) {
  const std::string file =
      files().write("empty.vy", "program e { buffer y: u32[64] read_write grid 64 }");
  const auto ran = run({file, "--budget", "2"});
  EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST_F(TuneCommand, TunesAPrimitiveOfTheLibrary) {
  const Json row = json({"--primitive", "kfac:8x2", "--budget", "2"}).at("programs").at(0);
  EXPECT_EQ(row.at("program"), "kfac:8x2");
  EXPECT_TRUE(row.at("configuration").contains("layout"));
}

TEST_F(TuneCommand, APrimitiveThatIsMadeAfterwardsHasItsDecision) {
  const Json row = json({"--primitive", "kfac:64x4", "--device", "reference", "--budget", "3"})
                       .at("programs")
                       .at(0);
  ASSERT_EQ(row.at("remembered"), true);
  const auto device = opened("reference");
  const store::Store store(files().path() / "cache/vyre/tuner", store::owner_of(device->adapter()));
  tune::Counters counters;
  const tune::StoredPrimitives decisions(store, &counters);
  const auto inverse = primitives::KfacBlockInverse::make(
      *device, {.num_blocks = 64, .n = 4, .decisions = &decisions});
  ASSERT_TRUE(inverse);
  EXPECT_EQ(counters.read()[tune::Count::exact_matches], 1U);
  EXPECT_EQ(name_of(inverse->schedule().layout),
            row.at("configuration").at("layout").get<std::string>());
  EXPECT_EQ(inverse->schedule().lanes, row.at("configuration").at("lanes"));
}

TEST_F(TuneCommand, TunesEachPrimitiveByItsShapeAndCountsItsCalls) {
  const std::vector<std::string> shapes = {"gemm:9x10x11", "reduce:1000", "scan:1000",
                                           "transpose:20x30", "convolution:20x30x3x5"};
  std::vector<std::string> arguments = {"--device", "reference", "--budget", "2", "--stats"};
  for (const std::string& shape : shapes) {
    arguments.insert(arguments.end(), {"--primitive", shape});
  }
  const auto ran = run(arguments);
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const std::string& shape : shapes) {
    EXPECT_TRUE(contains(ran.out, shape)) << ran.out;
    EXPECT_TRUE(contains(ran.err, shape + ": 1/2 default: ")) << ran.err;
    EXPECT_TRUE(contains(ran.err, "calls of " + shape.substr(0, shape.find(':')) + ": "))
        << ran.err;
  }
}

TEST_F(TuneCommand, ItsHelpHasTheFormOfEachPrimitive) {
  const auto help = run({"-h"});
  for (const char* form : {"kfac:BLOCKSxN", "gemm:MxNxK", "reduce:N", "scan:N",
                           "transpose:ROWSxCOLUMNS", "convolution:WIDTHxHEIGHTxFWxFH", "all:"}) {
    EXPECT_TRUE(contains(help.out, form)) << form << "\n" << help.out;
  }
}

TEST_F(TuneCommand, TheStandardPrimitivesShareABudget) {
  const auto ran = run({"--primitive", "all", "--budget", "12"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* name : {"kfac", "gemm", "reduce", "scan", "transpose", "convolution"}) {
    EXPECT_TRUE(contains(ran.out, std::string("\n") + name + ":")) << ran.out;
  }
  std::size_t tried_two = 0;
  for (std::size_t at = 0; (at = ran.out.find("  2 tried", at)) != std::string::npos; ++at) {
    ++tried_two;
  }
  EXPECT_EQ(tried_two, 6U) << ran.out;
}

TEST_F(TuneCommand, KeepsWhatItFoundWhenItIsInterrupted) {
  // Non-interactive shells start background commands with SIGINT ignored; vyre takes it back.
  const std::string script =
      "\"$0\" tune \"$1\" --json >\"$2/out\" 2>\"$2/err\" & "
      "until grep -q default \"$2/err\"; do sleep 0.05; done; "
      "kill -INT $!; wait $!";
  const auto ran = run_program({"/usr/bin/env", "timeout", "60", "sh", "-c", script, paths::tool,
                                doubled_file(), files().path().string()},
                               {{"XDG_CACHE_HOME", path("cache")}});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(files().read("err"), "interrupted")) << files().read("err");
  const int tried = Json::parse(files().read("out")).at("programs").at(0).at("evaluations");
  EXPECT_GE(tried, 1);
  // What was compared with nothing is not remembered, and not said to be.
  EXPECT_TRUE(contains(files().read("err"), tried > 1 ? "1 of 1 programs have a decision"
                                                      : "0 of 1 programs have a decision"))
      << files().read("err");
  EXPECT_EQ(json({doubled_file(), "--budget", "2"}).at("programs").at(0).at("match"),
            tried > 1 ? "exact" : "tuned");
}

TEST_F(TuneCommand, SaysInTheStatusAndInJsonThatADecisionCouldNotBeSaved) {
  const std::string file = doubled_file();
  const std::string no_folder = files().write("a_file", "");
  const auto refused = [&](const Finished& ran, const std::string& why) {
    EXPECT_EQ(ran.status, 1) << ran.err;
    EXPECT_TRUE(contains(ran.err, "not saved: ")) << ran.err;
    const Json row = Json::parse(ran.out).at("programs").at(0);
    EXPECT_EQ(row.at("program"), "doubled");
    EXPECT_EQ(row.at("remembered"), false);
    EXPECT_TRUE(contains(row.at("not_remembered"), why)) << row;
  };
  const std::vector<std::string> call = {"tune", file,       "--device", "reference", "--set",
                                         "n=64", "--budget", "2",        "--json"};
  refused(vyre(call, {{"XDG_CACHE_HOME", no_folder}}), "Not a directory");
  refused(vyre_after("cd /proc", call, {{"XDG_CACHE_HOME", ""}, {"HOME", ""}}), "cannot create");
}

TEST_F(TuneCommand, SaysInJsonWhatTheStoreHasAndWhyNotTheRest) {
  const Json alone = json({doubled_file(), "--budget", "1"}).at("programs").at(0);
  EXPECT_EQ(alone.at("remembered"), false);
  EXPECT_TRUE(contains(alone.at("not_remembered"), "only the default was tried")) << alone;
  const Json kept = json({doubled_file(), "--budget", "2"}).at("programs").at(0);
  EXPECT_EQ(kept.at("remembered"), true);
  EXPECT_FALSE(kept.contains("not_remembered"));
}

TEST_F(TuneCommand, GoesOnWithTheOtherProgramsWhenOneCannotRun) {
  const auto bad = files().write("bad.vy",
                                 "program bad { buffer y: u32[4] write grid 8 "
                                 "y[invocation.x + 8] = 1 }");
  const auto broken = files().write("broken.vy", "program p { grid }");
  const auto ran = run({bad, doubled_file(), broken, "--budget", "2"});
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_TRUE(contains(ran.err, "bad.vy")) << ran.err;
  EXPECT_TRUE(contains(ran.out, "doubled")) << ran.out;
  const auto again = run({bad, doubled_file(), broken, "--json"});
  const Json rows = Json::parse(again.out).at("programs");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows.at(0).at("file"), bad);
  EXPECT_EQ(rows.at(0).at("match"), "failed");
  EXPECT_TRUE(contains(rows.at(0).at("reason"), "y[invocation.x + 8] = 1")) << rows;
  EXPECT_EQ(rows.at(1).at("match"), "exact");
  EXPECT_EQ(rows.at(2).at("file"), broken);
  EXPECT_TRUE(contains(rows.at(2).at("reason"), "1:")) << rows;
}

TEST_F(TuneCommand, RefusesTwoOutputsThatAreOneFileAndOneThatIsItsProgram) {
  const std::string file = doubled_file();
  const auto refused = [&](const std::vector<std::string>& arguments, std::string_view message) {
    const auto ran = run(arguments);
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_TRUE(contains(ran.err, message)) << ran.err;
  };
  refused({file, "--output", path("x"), "--report", path("x")}, "are one file");
  refused({file, "--output", path("x"), "--report", path("./x")}, "are one file");
  std::filesystem::create_symlink("x", path("link"));
  refused({file, "--output", path("x"), "--report", path("link")}, "are one file");
  refused({file, files().write("counted.vy", counted), "--output", path("o.json"), "--report",
           path("o-doubled.json")},
          "are one file");
  refused({file, "--output", file}, "would replace");
  EXPECT_EQ(files().read("doubled.vy"), doubled);
}

TEST_F(TuneCommand, RefusesWhatItCannotDoBeforeAnythingIsMeasured) {
  const std::string file = doubled_file();
  const auto refused = [&](std::vector<std::string> arguments, std::string_view message) {
    const auto ran = run(std::move(arguments));
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_TRUE(contains(ran.err, message)) << ran.err;
    EXPECT_FALSE(contains(ran.err, "default:")) << ran.err;
  };
  refused({}, "nothing to tune");
  refused({path("missing.vy")}, "missing.vy");
  refused({files().write("broken.vy", "program p { grid }")}, "broken.vy:1:");
  refused({file, "--budget", "0"}, "--budget 0");
  refused({file, "--budget", "soon"}, "--budget soon");
  refused({file, "--budget", "1e300s"}, "--budget 1e300s");
  refused({file, "--strategy", "guess"}, "guess");
  refused({"--primitive", "kfac:0x4"}, "kfac:BLOCKSxN");
  refused({"--primitive", "gemm:axb"}, "gemm:MxNxK");
  refused({"--primitive", "sort:4"}, "kfac, gemm, reduce, scan, transpose, convolution, and all");
  refused({"--primitive", "all:4"}, "kfac:1000x16");
  refused({file, "--report", path("nowhere/r.html")}, "No such file or directory");
  refused({file, "--output", files().path().string()}, "Is a directory");
  EXPECT_EQ(run({file, "--device", "opencl:99"}).status, 3);
  const auto too_large = run({"--primitive", "kfac:1x99999"});
  EXPECT_EQ(too_large.status, 2) << too_large.err;
  EXPECT_TRUE(contains(too_large.err, "99999")) << too_large.err;
}

}  // namespace
}  // namespace vyre::testing
