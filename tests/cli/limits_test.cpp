// Limits of the system: each is a message and a status, never a crash.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/vyre.h"
#include "support/paths.h"

namespace vyre::testing {
namespace {

constexpr const char* copied_program = R"(program fill {
  uniform n: u32 = 1024
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  y[invocation.x] = x[invocation.x]
})";

class Limits : public ::testing::Test {
 protected:
  [[nodiscard]] Finished with_limit(const std::string& limit,
                                    const std::vector<std::string>& call) const {
    return vyre_after(limit, call, {{"XDG_CACHE_HOME", dir_.path().string()}});
  }
  [[nodiscard]] const TemporaryDirectory& dir() const { return dir_; }
  [[nodiscard]] std::string program() const { return dir_.write("fill.vy", copied_program); }

 private:
  TemporaryDirectory dir_;
};

// Reading it takes many times the memory of its text.
std::string long_program() {
  std::string text = "program long { buffer y: u32[1] write grid 1";
  for (int i = 0; i < 50'000; ++i) text += " y[0] = 1 + 2 + 3";
  return text + " }";
}

// A Kernel Tuner cache of many configurations.
std::string many_recorded() {
  nlohmann::ordered_json json = {{"device_name", "d"},
                                 {"kernel_name", "k"},
                                 {"problem_size", {1}},
                                 {"tune_params_keys", {"a"}},
                                 {"objective", "time"}};
  for (int a = 1; a <= 20'000; ++a) {
    json["tune_params"]["a"].push_back(a);
    json["cache"][std::to_string(a)] = {{"a", a}, {"time", a + 0.5}};
  }
  return json.dump();
}

// All of it is too little; how far each command gets differs from machine to machine. With so
// little that the libraries are loaded and nothing is left, C++ itself has no room for an exception
// and ends the program.
TEST_F(Limits, OfMemoryAreAMessageAndAStatus) {
#ifdef VYRE_SANITIZED
  GTEST_SKIP() << "sanitizers need all addresses there are";
#endif
  const std::string file = program();
  const std::string data = dir().write("many.json", many_recorded());
  const std::vector<std::vector<std::string>> calls = {
      {"check", dir().write("long.vy", long_program())},
      {"run", file, "--device", "reference", "--set", "n=5000000"},
      {"simulate", data, "--seeds", "4", "--evals", "50"},
      {"time", file, "--device", "reference", "--set", "n=5000000", "--budget", "50ms"},
      {"tune", file, "--device", "reference", "--set", "n=5000000", "--budget", "2"}};
  for (const auto& call : calls) {
    std::size_t refused = 0;
    for (const int mib : {16, 24, 40}) {
      const auto ran = with_limit("ulimit -v " + std::to_string(mib * 1024), call);
      if (ran.status == 127) continue;  // not even the libraries could be loaded
      EXPECT_LT(ran.status, 127) << call[0] << " with " << mib << " MiB: " << ran.err;
      EXPECT_TRUE(ran.status == 0 || !ran.err.empty()) << call[0];
      if (contains(ran.err, "memory")) ++refused;
    }
    EXPECT_GT(refused, 0U) << call[0];
  }
}

TEST_F(Limits, OfFileSizesAreAMessageAndAStatus) {
  const std::string file = program();
  const auto tuned =
      with_limit("ulimit -f 1", {"tune", file, "--device", "reference", "--budget", "2", "--json"});
  EXPECT_LT(tuned.status, 126) << tuned.err;
  EXPECT_NE(tuned.status, 0);
  EXPECT_TRUE(contains(tuned.err, "File too large")) << tuned.err;
  const auto printed =
      run_program({"/bin/bash", "-c", "ulimit -f 1; exec \"$0\" \"$@\" >\"$OUT\"", paths::tool,
                   "run", file, "--device", "reference", "--out", "y"},
                  {{"OUT", (dir().path() / "out").string()}});
  EXPECT_EQ(printed.status, 2) << printed.err;
  EXPECT_TRUE(contains(printed.err, "standard output cannot be written to")) << printed.err;
}

TEST_F(Limits, OfFileSizesCostTheDecisionAndNotTheStore) {
  const std::string file = program();
  const std::vector<std::string> tune = {"tune",   file,       "--device", "reference",
                                         "--json", "--budget", "2",        "--set"};
  const auto with_size = [&](const std::string& size) {
    std::vector<std::string> call = tune;
    call.push_back(size);
    return call;
  };
  ASSERT_EQ(with_limit(":", with_size("n=64")).status, 0);
  const auto ran = with_limit("ulimit -f 1", with_size("n=65"));
  EXPECT_NE(ran.status, 0) << ran.err;
  EXPECT_LT(ran.status, 126) << ran.err;
  const auto kept = with_limit(":", {"store", "verify"});
  EXPECT_EQ(kept.status, 0) << kept.err;
  EXPECT_TRUE(contains(kept.out, ": 1 decision, all well")) << kept.out;
}

}  // namespace
}  // namespace vyre::testing
