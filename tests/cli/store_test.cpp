// `vyre store` on stores that the tests have written.
#include "vyre/store/store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/vyre.h"
#include "store/directory.h"
#include "store/samples.h"
#include "support/paths.h"

namespace vyre::testing {
namespace {

using Json = nlohmann::json;

// A cache directory of its own, with a store in it.
class StoreCommand : public ::testing::Test {
 protected:
  void record(const std::string& adapter, const store::Decision& made) const {
    const store::Owner owner{adapter, "Device of " + adapter, "3.1 (OpenCL 3.0)"};
    const auto recorded = store::Store(directory(), owner).record(made);
    ASSERT_TRUE(recorded) << recorded.error().message;
  }
  [[nodiscard]] std::filesystem::path directory() const {
    return store::directory(cache_.path().string(), "");
  }
  [[nodiscard]] std::filesystem::path file_of(const std::string& adapter) const {
    return directory() / store::file_name(adapter);
  }
  [[nodiscard]] Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "store");
    return vyre(std::move(arguments), {{"XDG_CACHE_HOME", cache_.path().string()}});
  }
  [[nodiscard]] const TemporaryDirectory& cache() const { return cache_; }

 private:
  TemporaryDirectory cache_;
};

std::string key_text(const store::Decision& decision) { return to_string(decision.key); }

TEST_F(StoreCommand, ListShowsProgramSizeChoiceTimeSpeedUpAndDate) {
  record("opencl-a", decision(3, "transpose"));
  record("opencl-b", {.key = decision(4).key, .workgroup = {4, 64, 1}});
  const auto ran = run({"list"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part : {"opencl-a, Device of opencl-a: 1 decision", "transpose",
                           "4x1x1 groups, 1 KiB", "4x2x1 tile=16 scale=0.5 unroll=True layout=rows",
                           "1.003 us", "2.50 (2.25 .. 2.75)", "2026-11-16", "opencl-b", "4x64x1"}) {
    EXPECT_TRUE(contains(ran.out, part)) << part << "\n" << ran.out;
  }
  const auto one = run({"list", "--adapter", "cl-b"});
  EXPECT_FALSE(contains(one.out, "transpose"));
  EXPECT_EQ(run({"list", "--adapter", "cuda"}).status, 2);
}

TEST_F(StoreCommand, ListAsJsonHasEverything) {
  record("opencl-a", decision(3));
  record("opencl-b", {.key = decision(4).key, .workgroup = {4, 64, 1}});
  const Json json = Json::parse(run({"list", "--json"}).out);
  ASSERT_EQ(json["adapters"].size(), 2U);
  const Json& made = json["adapters"][0]["decisions"][0];
  EXPECT_EQ(made["key"], key_text(decision(3)));
  EXPECT_EQ(made["workgroup"], Json({4, 2, 1}));
  EXPECT_EQ(made["configuration"],
            Json::parse(R"({"tile":16,"scale":0.5,"unroll":true,"layout":"rows"})"));
  EXPECT_EQ(made["elapsed_ns"], 1003.25);
  EXPECT_EQ(made["date"], "2026-11-16T00:00:03Z");
  EXPECT_EQ(json["adapters"][1]["decisions"][0].size(), 2U);
}

TEST_F(StoreCommand, ListOfAnEmptyStoreSaysWhereItIs) {
  const auto ran = run({"list"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(contains(ran.err, directory().string())) << ran.err;
  EXPECT_EQ(Json::parse(run({"list", "--json"}).out)["adapters"].size(), 0U);
}

TEST_F(StoreCommand, ShowTakesABeginningOfAKeyThatFitsOnlyOne) {
  record("opencl-a", decision(1));
  record("opencl-a", decision(2));
  const std::string key = key_text(decision(1));
  const auto ran = run({"show", key.substr(0, 20)});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, key)) << ran.out;
  EXPECT_TRUE(contains(ran.out, "elapsed_ns = 1001.25")) << ran.out;
  EXPECT_EQ(Json::parse(run({"show", key, "--json"}).out)["adapter"], "opencl-a");
  EXPECT_EQ(run({"show", "v1-"}).status, 2);
  EXPECT_EQ(run({"show", "v1-none"}).status, 2);
  EXPECT_EQ(run({"show"}).status, 2);
}

TEST_F(StoreCommand, VerifySaysWhatIsWrongAndWhere) {
  record("opencl-a", decision(1));
  EXPECT_EQ(run({"verify"}).status, 0);
  std::ofstream(file_of("opencl-a"), std::ios::app) << "\n[\"v1-garbage\n";
  const auto ran = run({"verify"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(contains(ran.err, file_of("opencl-a").string() + ":30:")) << ran.err;
  EXPECT_TRUE(contains(ran.out, ": 1 decision, with problems")) << ran.out;
}

TEST_F(StoreCommand, VerifyFindsAFileUnderTheNameOfAnotherAdapter) {
  record("opencl-a", decision(1));
  std::filesystem::copy(file_of("opencl-a"), file_of("opencl-b"));
  const auto ran = run({"verify"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(contains(ran.err, "opencl-b.toml: it says that it is of the adapter opencl-a"))
      << ran.err;
}

TEST_F(StoreCommand, WhatIsExportedCanBeMergedThroughAPipe) {
  record("opencl-b", decision(2));
  const TemporaryDirectory there;
  const auto ran = run_program(
      {"/bin/bash", "-c",
       R"(XDG_CACHE_HOME="$2" "$0" store merge <(XDG_CACHE_HOME="$1" "$0" store export))",
       paths::tool, cache().path().string(), there.path().string()});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "1 added")) << ran.out;
}

// A store's own file is replaced one day: it cannot be a pipe, and nobody waits for one.
TEST_F(StoreCommand, AFileOfTheStoreThatIsAPipeIsReportedAndNotWaitedFor) {
  record("opencl-b", decision(2));
  std::filesystem::remove(file_of("opencl-b"));
  ASSERT_EQ(::mkfifo(file_of("opencl-b").c_str(), 0600), 0);
  const auto ran = run({"verify"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(contains(ran.out + ran.err, "is not a file")) << ran.out << ran.err;
}

TEST_F(StoreCommand, WhatIsExportedCanBeMergedOnAnotherMachine) {
  record("../../x", decision(1));
  record("opencl-b", decision(2));
  const std::string file = (cache().path() / "x.toml").string();
  EXPECT_EQ(run({"export"}).status, 2);
  EXPECT_EQ(run({"export", "--adapter", "../x", "--output", file}).status, 0);
  EXPECT_EQ(Json::parse(run({"export", "--json"}).out)["adapters"].size(), 2U);

  const TemporaryDirectory there;
  const std::map<std::string, std::string> other = {{"XDG_CACHE_HOME", there.path().string()}};
  const auto ran = vyre({"store", "merge", file}, other);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "1 added, 0 replaced by better evidence, 0 kept")) << ran.out;
  const auto path = store::directory(there.path().string(), "") / store::file_name("../../x");
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_TRUE(contains(vyre({"store", "merge", file}, other).out, "1 kept as they were"));
}

TEST_F(StoreCommand, ExportKeepsWhatANewerVersionWrote) {
  record("opencl-a", decision(1));
  std::ifstream in(file_of("opencl-a"));
  const std::string text(std::istreambuf_iterator<char>(in), {});
  std::ofstream(file_of("opencl-a")) << "future = 1\n" << text << "\n[v2-x]\na = 1\n";
  const auto ran = run({"export"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part : {"future = 1\n", "[v2-x]\na = 1\n", "elapsed_ns = 1001.25"}) {
    EXPECT_TRUE(contains(ran.out, part)) << ran.out;
  }
}

TEST_F(StoreCommand, MergeTakesTheBetterEvidence) {
  store::Decision slow = decision(1);
  slow.evidence->elapsed = {9e6, {8e6, 1e7}};
  record("opencl-a", decision(1));
  const std::string file = (cache().path() / "fast.toml").string();
  ASSERT_EQ(run({"export", "--output", file}).status, 0);
  record("opencl-a", slow);
  EXPECT_TRUE(contains(run({"merge", file}).out, "0 added, 1 replaced by better evidence"));
  EXPECT_TRUE(contains(run({"list"}).out, "1.001 us"));
}

TEST_F(StoreCommand, MergeOfAMissingOrDamagedFileSaysSo) {
  EXPECT_EQ(run({"merge", "missing.toml"}).status, 2);
  const auto ran = run({"merge", cache().write("bad.toml", "{ not TOML")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(contains(ran.err, "bad.toml:1:")) << ran.err;
}

TEST_F(StoreCommand, MergeOfWhatIsNoStoreLeavesNothingBehind) {
  record("opencl-a", decision(1));
  const std::string before = run({"list"}).out;
  EXPECT_EQ(run({"merge", cache().write("bad.toml", "{ not TOML")}).status, 1);
  for (const char* text : {"", "name = 'settings of another tool'\n"}) {
    const auto ran = run({"merge", cache().write("other.toml", text)});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(contains(ran.err, "there are no decisions in")) << ran.err;
  }
  EXPECT_EQ(run({"list"}).out, before);
  const std::filesystem::directory_iterator files(directory());
  EXPECT_EQ(std::distance(begin(files), end(files)), 2);  // of opencl-a, and its lock
}

TEST_F(StoreCommand, MergeOfAFileThatDoesNotNameTheDeviceKeepsItsName) {
  record("opencl-a", decision(1));
  const std::string file = cache().write(
      "nameless.toml", "adapter = \"opencl-a\"\n\"" + key_text(decision(2)) + "\" = [4, 64, 1]\n");
  const auto ran = run({"merge", file});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(run({"list"}).out, "opencl-a, Device of opencl-a: 2 decisions"));
}

TEST_F(StoreCommand, PruneRemovesByAgeDriverAndAdapter) {
  record("opencl-a", decision(1));
  store::Decision now = decision(2);
  now.evidence->date = {};  // becomes now
  record("opencl-a", now);
  store::Decision other = decision(3);
  other.evidence->date = {};
  other.evidence->driver = "9.9";
  record("opencl-a", other);
  record("opencl-b", {.key = decision(4).key});

  EXPECT_EQ(run({"prune"}).status, 2);
  const auto dry = run({"prune", "--other-driver", "3.1 (OpenCL 3.0)", "--dry-run"});
  EXPECT_TRUE(contains(dry.out, key_text(decision(3)))) << dry.out;
  EXPECT_TRUE(contains(dry.out, "opencl-a: 1 of 3 decisions would be removed")) << dry.out;
  EXPECT_TRUE(contains(run({"prune", "--other-driver", "3.1 (OpenCL 3.0)"}).out, "1 of 3"));
  EXPECT_TRUE(contains(run({"prune", "--other-driver", "3.1 (OpenCL 3.0)"}).out, "0 of 2"));
  EXPECT_TRUE(
      contains(run({"prune", "--adapter", "opencl-b", "--all"}).out, "1 of 1 decision removed"));
  EXPECT_TRUE(contains(run({"prune", "--older-than", "100000"}).out, "0 of 2"));
}

TEST_F(StoreCommand, PruneRemovesWhatIsOlderThanSoManyDays) {
  store::Decision old = decision(1);
  old.evidence->date = std::chrono::sys_days(std::chrono::year(2020) / 1 / 1);
  record("opencl-a", old);
  store::Decision now = decision(2);
  now.evidence->date = {};  // becomes now
  record("opencl-a", now);
  const auto dry = run({"prune", "--older-than", "30", "--dry-run"});
  EXPECT_TRUE(contains(dry.out, key_text(old))) << dry.out;
  EXPECT_FALSE(contains(dry.out, key_text(now))) << dry.out;
  EXPECT_TRUE(contains(run({"prune", "--older-than", "30"}).out, "1 of 2 decisions removed"));
  const std::string left = run({"list", "--json"}).out;
  EXPECT_FALSE(contains(left, key_text(old))) << left;
  EXPECT_TRUE(contains(left, key_text(now))) << left;
}

// "\x1b[2J" clears a terminal, and so does U+009B in the place of its first two bytes.
TEST_F(StoreCommand, WhatAFileSaysDoesNotReachTheTerminalAsACommand) {
  record("opencl-a", decision(1, "clear \x1b[2J \x7f \xc2\x9b\nnew line"));
  std::ofstream(file_of("opencl-a"), std::ios::app) << "\n[\"v1-\x1b[31m";
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"list"},
           {"list", "--json"},
           {"verify"},
           {"prune", "--all", "--dry-run"},
           {"show", key_text(decision(1, "clear \x1b[2J \x7f \xc2\x9b\nnew line"))}}) {
    const auto ran = run(call);
    for (const std::string& text : {ran.out, ran.err}) {
      EXPECT_EQ(text.find_first_of("\x1b\x7f\x9b"), std::string::npos) << call[0];
    }
  }
  EXPECT_TRUE(contains(run({"list"}).out, "clear \\x1b[2J \\x7f \\xc2\\x9b\\x0anew line"))
      << run({"list"}).out;
}

TEST_F(StoreCommand, ARelativeCacheHomeIsIgnored) {
  const std::string file = cache().write(
      "fill.vy", "program fill { buffer y: f32[8] write grid 8 y[invocation.x] = 1.0 }");
  const auto ran = vyre_after(
      "cd " + cache().path().string(), {"tune", file, "--device", "reference", "--budget", "2"},
      {{"XDG_CACHE_HOME", "some/where"}, {"HOME", cache().path().string()}});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "XDG_CACHE_HOME is ignored: some/where")) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(cache().path() / "some"));
  EXPECT_TRUE(std::filesystem::exists(cache().path() / ".cache" / "vyre" / "tuner"));
}

TEST_F(StoreCommand, HelpShowsAnExample) {
  EXPECT_TRUE(contains(run({"-h"}).out, "vyre store prune --older-than 90 --dry-run"));
  for (const char* command : {"list", "show", "verify", "merge", "export", "prune"}) {
    const auto ran = run({command, "-h"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_TRUE(contains(ran.out, std::string("vyre store ") + command)) << ran.out;
  }
  EXPECT_EQ(run({}).status, 2);
  const auto unknown = run({"burn", "--all"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.err, "vyre: there is no command 'burn'; `vyre store -h` lists them\n");
}

TEST_F(StoreCommand, WithoutAHomeTheStoreIsHere) {
  const auto ran = vyre({"store", "list"}, {{"XDG_CACHE_HOME", ""}, {"HOME", ""}});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(contains(ran.err, "./vyre/tuner")) << ran.err;
}

TEST_F(StoreCommand, WithoutAHomeEveryCommandSaysOnceWhereItKeepsDecisionsAndGoesOn) {
  const std::string file = cache().write(
      "fill.vy", "program fill { buffer y: f32[8] write grid 8 y[invocation.x] = 1.0 }");
  const std::string warning =
      "vyre: neither XDG_CACHE_HOME nor HOME is set: decisions are kept in ./vyre/tuner\n";
  const std::vector<std::string> calls = {"tune " + file + " --device reference --budget 2",
                                          "run " + file + " --device reference --tuned",
                                          "store list"};
  for (const std::string& call : calls) {
    const auto ran = run_program(
        {"/bin/sh", "-c", "cd " + cache().path().string() + " && exec " + paths::tool + " " + call},
        {{"XDG_CACHE_HOME", ""}, {"HOME", ""}});
    EXPECT_EQ(ran.status, 0) << ran.err;
    const std::size_t first = ran.err.find(warning);
    EXPECT_NE(first, std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find(warning, first + 1), std::string::npos) << ran.err;
  }
  EXPECT_TRUE(std::filesystem::exists(cache().path() / "vyre" / "tuner"));
}

}  // namespace
}  // namespace vyre::testing
