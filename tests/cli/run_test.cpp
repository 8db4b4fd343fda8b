// `vyre run`: the same answer on both devices, inputs of every kind, and clear refusals.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/vyre.h"
#include "support/paths.h"

namespace vyre::testing {
namespace {

constexpr const char* saxpy = R"(program saxpy {
  uniform n: u32 = 1024
  uniform a: f32 = 2.0
  buffer x: f32[n] read
  buffer y: f32[n] read_write
  grid n
  let i = invocation.x
  y[i] = fma(a, x[i], y[i])
})";

class Run : public ::testing::Test {
 protected:
  // The arguments after `vyre run FILE`.
  Finished saxpy_with(std::vector<std::string> arguments,
                      const std::map<std::string, std::string>& environment = {}) {
    arguments.insert(arguments.begin(), {"run", file_});
    return vyre(arguments, environment);
  }

  TemporaryDirectory dir_;
  std::string file_ = dir_.write("saxpy.vy", saxpy);
};

TEST_F(Run, GivesTheSameOnTheInterpreterAndOnOpencl) {
  for (const char* device : {"reference", "opencl"}) {
    const auto ran =
        saxpy_with({"--device", device, "--in", "x=ramp:5", "--in", "y=1,2,3,4,5", "--out", "y"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "y=1,4,7,10,13\n") << device;
  }
}

TEST_F(Run, TakesSizesFromTheDataAndUniformsFromSet) {
  const auto ran = saxpy_with({"--device", "reference", "--in", "x=fill:3:4", "--in", "y=fill:1",
                               "--set", "a=-0.5", "--out", "y", "--out", "x"});
  EXPECT_EQ(ran.out, "y=-0.5,-0.5,-0.5,-0.5\nx=3,3,3,3\n") << ran.err;
}

TEST_F(Run, SaysWhatItFilledInAndShowsTheStartOfWhatWasWritten) {
  const auto ran = saxpy_with({"--device", "reference", "--set", "n=100", "--in", "x=fill:0"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(contains(ran.err, "y is not given: random:0:100")) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("y=")) << ran.out;
  EXPECT_TRUE(ran.out.ends_with(",... (100 elements)\n")) << ran.out;
}

TEST_F(Run, ReadsInputAndProgramFromPipes) {
  const std::string in = dir_.write("x.bin", std::string("\0\0\x80\x3f\0\0\0\x40", 8));  // 1, 2
  const auto ran = run_program(
      {"/bin/bash", "-c",
       R"("$0" run <(cat "$1") --device reference --in x=@<(cat "$2") --in y=fill:1 --out y)",
       paths::tool, file_, in});
  EXPECT_EQ(ran.out, "y=3,5\n") << ran.err;
}

TEST_F(Run, ReadsAndWritesFiles) {
  const std::string in = dir_.write("x.bin", std::string("\0\0\x80\x3f\0\0\0\x40", 8));  // 1, 2
  const std::string out = (dir_.path() / "y.bin").string();
  ASSERT_EQ(saxpy_with({"--in", "x=@" + in, "--in", "y=fill:1", "--out", "y=@" + out}).status, 0);
  const auto back =
      saxpy_with({"--in", "x=fill:0", "--in", "y=@" + out, "--set", "n=2", "--out", "y"});
  EXPECT_EQ(back.out, "y=3,5\n") << back.err;
}

TEST_F(Run, RefusesWrongInputsWithStatusTwo) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--in", "z=ramp"}, "vyre: --in z: program saxpy has no such buffer; it has x, y\n"},
      {{"--in", "x"}, "vyre: --in x: write NAME=...\n"},
      {{"--in", "x=ramp:4", "--in", "x=ramp:4"}, "vyre: --in x=ramp:4: 'x' is given twice\n"},
      {{"--in", "x=ramp:4", "--in", "y=ramp:5"},
       "vyre: --in y: 5 elements make n = 5, but another buffer makes it 4\n"},
      {{"--in", "x=ramp:4", "--set", "n=5"},
       "vyre: --in x: 4 elements given, but n = 5; --set changes it\n"},
      {{"--in", "x=1,2,three"}, "vyre: --in x: 'three' is not an f32\n"},
      {{"--in", "x=ramp:1000000000000"},
       "vyre: --in x: 'ramp:1000000000000': '1000000000000' is not a count that fits in u32\n"},
      {{"--in", "x=ramp:1000000000"},
       "vyre: --in x: 'ramp:1000000000': 1000000000 elements are 4000000000 bytes; at most "
       "1073741824 are accepted\n"},
      {{"--in", "x=@missing.bin"},
       "vyre: --in x: cannot read 'missing.bin': No such file or directory\n"},
      {{"--set", "m=4"}, "vyre: --set m: program saxpy has no such uniform\n"},
      {{"--set", "n=-4"}, "vyre: --set n: '-4' is not a u32\n"},
      {{"--out", "z"}, "vyre: --out z: the program has no such buffer; it has x, y\n"},
      {{"--set", "n=0"}, "the grid is empty: n = 0 in x\n"},
  };
  for (const auto& [arguments, message] : wrong) {
    const auto ran = saxpy_with(arguments);
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.ends_with(message)) << ran.err;
  }
}

TEST_F(Run, NamesTheStatementThatDidWhatItMustNot) {
  const std::string file = dir_.write("race.vy", R"(program race {
  buffer y: u32[8] write
  grid 8
  y[invocation.x / 2] = 1
})");
  const auto ran = vyre({"run", file, "--device", "reference"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(ran.err.starts_with(file + ":4:3: `y[invocation.x / 2] = 1`: ")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "data race")) << ran.err;
}

TEST_F(Run, TunedInTheModeOffMeasuresNothing) {
  const auto ran =
      saxpy_with({"--tuned", "--stats", "--in", "x=ramp:5", "--in", "y=fill:1", "--out", "y"},
                 {{"XDG_CACHE_HOME", dir_.path().string()}, {"VYRE_AUTOTUNER", "off"}});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "y=1,3,5,7,9\n");
  EXPECT_TRUE(contains(ran.err, "original")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "no decision: 1")) << ran.err;
  EXPECT_FALSE(contains(ran.err, "tunings")) << ran.err;
}

TEST_F(Run, TunedTakesAnUnknownModeForNoneAndWarnsOnce) {
  const std::vector<std::string> call = {"--tuned", "--stats",  "--in",  "x=ramp:5",
                                         "--in",    "y=fill:1", "--out", "y"};
  const auto ran =
      saxpy_with(call, {{"XDG_CACHE_HOME", dir_.path().string()}, {"VYRE_AUTOTUNER", "fast"}});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "y=1,3,5,7,9\n");
  EXPECT_TRUE(contains(ran.err, "VYRE_AUTOTUNER")) << ran.err;
  EXPECT_EQ(ran.err.find("VYRE_AUTOTUNER"), ran.err.rfind("VYRE_AUTOTUNER")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "tunings: 1")) << ran.err;
}

TEST_F(Run, TunedUsesTheDecisionOfAnEarlierRun) {
  const std::map<std::string, std::string> cache = {{"XDG_CACHE_HOME", dir_.path().string()}};
  const auto tuned = vyre({"tune", file_, "--budget", "5"}, cache);
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  const auto ran = saxpy_with({"--tuned", "--out", "y"}, cache);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "exact")) << ran.err;
}

TEST_F(Run, TunedTakesAnEmptyModeForAnUnknownOne) {
  const std::string file =
      dir_.write("fill.vy", "program fill { buffer y: f32[8] write grid 8 y[invocation.x] = 1.0 }");
  const auto ran = run_program({"/usr/bin/env", "VYRE_AUTOTUNER=", paths::tool, "run", file,
                                "--tuned", "--device", "reference"},
                               {{"XDG_CACHE_HOME", dir_.path().string()}});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "VYRE_AUTOTUNER is ''; it can be on, natural")) << ran.err;
}

TEST_F(Run, StatsAreOfTunedRunsOnly) {
  const auto ran = saxpy_with({"--stats"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(contains(ran.err, "--stats requires --tuned")) << ran.err;
}

TEST_F(Run, WithoutADeviceSaysWhatToInstallAndExitsWithThree) {
  const auto ran = saxpy_with({}, {{"OCL_ICD_VENDORS", "/nonexistent"}});
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(contains(ran.err, "pocl-opencl-icd")) << ran.err;
  EXPECT_EQ(saxpy_with({"--device", "reference"}, {{"OCL_ICD_VENDORS", "/nonexistent"}}).status, 0);
}

TEST_F(Run, EndsWithAMessageWhereTheDriverAborts) {
  // PoCL looks for a linker there, and aborts without one; other drivers need none.
  const TemporaryDirectory cold;
  const auto ran = saxpy_with({}, {{"PATH", ""}, {"POCL_CACHE_DIR", cold.path()}});
  if (ran.status == 0) GTEST_SKIP() << "the driver does not abort";
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_TRUE(contains(ran.err,
                       "vyre: running it brought its process down: it was killed by "
                       "signal 6"))
      << ran.err;
  EXPECT_TRUE(contains(ran.err, "vyre doctor")) << ran.err;
}

}  // namespace
}  // namespace vyre::testing
