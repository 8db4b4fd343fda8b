// The files that commands write: nothing that was there is lost when there is no room for the new.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/vyre.h"
#include "store/samples.h"
#include "vyre/store/store.h"

namespace vyre::testing {
namespace {

// 64 KiB of output.
constexpr const char* two_buffers =
    "program fill { buffer y: f32[16384] write buffer z: f32[4] write grid 16384 "
    "y[invocation.x] = 1.0 if invocation.x < 4 { z[invocation.x] = 2.0 } }";

// A Kernel Tuner cache of four configurations.
constexpr const char* four_recorded =
    R"({"device_name": "d", "kernel_name": "k", "problem_size": [1],
"tune_params_keys": ["a"], "tune_params": {"a": [1, 2, 3, 4]}, "objective": "time", "cache": {
"1": {"a": 1, "time": 1.0}, "2": {"a": 2, "time": 2.0},
"3": {"a": 3, "time": 3.0}, "4": {"a": 4, "time": 4.0}}})";

class Outputs : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(const std::vector<std::string>& outputs,
                             const std::string& before = ":") const {
    std::vector<std::string> call = {"run", program_, "--device", "reference"};
    for (const std::string& output : outputs) call.insert(call.end(), {"--out", output});
    return vyre_after("cd " + dir_.path().string() + "; " + before, call);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (dir_.path() / name).string();
  }
  [[nodiscard]] const TemporaryDirectory& dir() const { return dir_; }

 private:
  TemporaryDirectory dir_;
  std::string program_ = dir_.write("fill.vy", two_buffers);
};

// No file may have more than a KiB: that is said as on a full disk.
void expect_kept(const Finished& ran, const TemporaryDirectory& dir, const std::string& name,
                 const std::vector<std::string>& names) {
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_TRUE(contains(ran.err, "cannot write ")) << ran.err;
  EXPECT_TRUE(contains(ran.err, name + ": File too large")) << ran.err;
  EXPECT_EQ(dir.read(name), "precious");
  EXPECT_EQ(dir.names(), names);
}

TEST_F(Outputs, OfRunKeepTheOldFileWhereTheNewOneHasNoRoom) {
  const std::string file = dir().write("y.bin", "precious");
  expect_kept(run({"y=@" + file}, "ulimit -f 1"), dir(), "y.bin", {"fill.vy", "y.bin"});
}

TEST_F(Outputs, OfSimulateKeepTheOldFileWhereTheNewOneHasNoRoom) {
  const std::string file = dir().write("t.jsonl", "precious");
  const std::string data = dir().write("toy.json", four_recorded);
  expect_kept(vyre_after("ulimit -f 1", {"simulate", data, "--seeds", "99", "--trace", file}),
              dir(), "t.jsonl", {"fill.vy", "t.jsonl", "toy.json"});
}

TEST_F(Outputs, OfExportKeepTheOldFileWhereTheNewOneHasNoRoom) {
  const TemporaryDirectory cache;
  store::Store store(store::directory(cache.path().string(), ""), {"opencl-a", "A", "3.1"});
  for (std::uint32_t n = 0; n < 4; ++n) ASSERT_TRUE(store.record(decision(n)));
  const std::string file = dir().write("x.toml", "precious");
  const auto ran = vyre_after("ulimit -f 1", {"store", "export", "--output", file},
                              {{"XDG_CACHE_HOME", cache.path().string()}});
  expect_kept(ran, dir(), "x.toml", {"fill.vy", "x.toml"});
}

TEST_F(Outputs, ThatAreOneFileAreRefusedHoweverTheyAreSpelled) {
  std::filesystem::create_symlink("a", path("link"));
  std::filesystem::create_directory(path("sub"));
  for (const char* other : {"a", "./a", "sub/../a", "link"}) {
    const auto ran = run({"y=@a", std::string("z=@") + other});
    EXPECT_EQ(ran.status, 2) << other;
    EXPECT_TRUE(contains(ran.err, "are one file")) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(path("a"))) << other;
  }
  EXPECT_EQ(run({"y=@a", "z=@b"}).status, 0);
}

TEST_F(Outputs, ThatWouldReplaceTheProgramAreRefused) {
  const auto ran = run({"z=@./fill.vy"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(contains(ran.err, "would replace")) << ran.err;
  EXPECT_EQ(dir().read("fill.vy"), two_buffers);
}

TEST_F(Outputs, ToStandardOutputComeInTheirOrder) {
  const std::string two = {0, 0, 0, 0x40};
  const std::string values = two + two + two + two;
  const auto piped = run({"z", "z=@/dev/stdout", "z"}, "\"$0\" \"$@\" | cat; exit");
  EXPECT_EQ(piped.out, "z=2,2,2,2\n" + values + "z=2,2,2,2\n") << piped.err;
  const auto to_file = run({"z", "z=@/dev/stdout", "z"}, "exec >out");
  EXPECT_EQ(to_file.status, 0) << to_file.err;
  EXPECT_EQ(dir().read("out"), "z=2,2,2,2\n" + values + "z=2,2,2,2\n");
}

}  // namespace
}  // namespace vyre::testing
