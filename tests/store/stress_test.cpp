// Many writers, killed writers and a full disk.
#include "store/stress.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <map>
#include <thread>

#include "store/directory.h"
#include "store/samples.h"
#include "support/random_source.h"
#include "vyre/store/store.h"

namespace vyre::store {
namespace {

using testing::decision;
using testing::dispatch;
using testing::in_child;
using testing::QuickDirectory;
using testing::status_of;

const Owner stressed_owner{.adapter = "opencl-a", .device = "A", .driver = "3.1 (OpenCL 3.0)"};

TEST(StoreUnderStress, SixteenProcessesRecordingTwoHundredDecisionsEachLoseNone) {
  constexpr std::uint32_t processes = 16;
  constexpr std::uint32_t decisions = 200;
  const QuickDirectory dir;
  std::vector<pid_t> children;
  for (std::uint32_t p = 0; p < processes; ++p) {
    children.push_back(in_child([&] {
      Store store(dir.path(), stressed_owner);
      for (std::uint32_t n = 0; n < decisions; ++n) {
        if (!store.record(decision(p * decisions + n))) return 1;
      }
      return 0;
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);

  const Store store(dir.path(), stressed_owner);
  EXPECT_TRUE(store.problems().empty());
  EXPECT_EQ(store.size(), processes * decisions);
  for (std::uint32_t n = 0; n < processes * decisions; ++n) {
    const Found found = store.lookup(decision(n).key);
    ASSERT_TRUE(found.decision) << n;
    EXPECT_EQ(*found.decision, decision(n));
  }
}

// A decision for one of a few keys; later ones have more samples.
Decision numbered(std::uint64_t number) {
  Decision made = decision(static_cast<std::uint32_t>(number % 40));
  made.evidence->samples = number;
  return made;
}

// Records from `first` on, and writes each number to the pipe once it is recorded.
int record_and_acknowledge(const std::filesystem::path& directory, std::uint64_t first, int pipe) {
  Store store(directory, stressed_owner);
  for (std::uint64_t number = first;; ++number) {
    if (!store.record(numbered(number))) return 1;
    if (::write(pipe, &number, sizeof number) != sizeof number) return 2;
  }
}

// The last number that was acknowledged, or `before`.
std::uint64_t last_acknowledged(int pipe, std::uint64_t before) {
  std::uint64_t number = before;
  while (::read(pipe, &number, sizeof number) == sizeof number) before = number;
  return before;
}

TEST(StoreUnderStress, ThreeHundredKillsLeaveAValidFileWithEveryAcknowledgedDecision) {
  const QuickDirectory dir;
  testing::RandomSource random(1);
  std::uint64_t last = 0;
  for (int round = 0; round < 300; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child =
        in_child([&] { return record_and_acknowledge(dir.path(), last + 1, ends[1]); });
    close(ends[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(12'000)));
    kill(child, SIGKILL);
    EXPECT_EQ(status_of(child), 128 + SIGKILL);
    last = last_acknowledged(ends[0], last);
    close(ends[0]);

    const Store store(dir.path(), stressed_owner);
    ASSERT_TRUE(store.problems().empty()) << store.problems()[0];
    for (std::uint64_t number = last > 40 ? last - 39 : 1; number <= last; ++number) {
      const Found found = store.lookup(numbered(number).key);
      ASSERT_TRUE(found.decision) << number;
      EXPECT_GE(found.decision->evidence->samples, number);
    }
  }
  EXPECT_GT(last, 0U);  // how many is a matter of speed
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    EXPECT_TRUE(entry.path().filename().string().starts_with("opencl-a.toml"));
    ++files;
  }
  EXPECT_LE(files, 3U);  // the file, its lock, and at most one draft
}

// No file of this process may become larger than this: writing fails as on a full disk.
void limit_files(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = {};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(StoreUnderStress, AFullDiskGivesAMessageLosesNothingAndTheRunGoesOn) {
  const QuickDirectory dir;
  ASSERT_TRUE(Store(dir.path(), stressed_owner).record(decision(0)));
  const int status = status_of(in_child([&] {
    limit_files(2'000);
    Store store(dir.path(), stressed_owner);
    std::uint32_t n = 1;
    while (n < 20 && store.record(decision(n))) ++n;
    const auto failed = store.record(decision(20));
    if (n == 20 || failed) return 1;
    if (failed.error().message.find("cannot write") == std::string::npos) return 2;
    if (store.lookup(dispatch(20)).match != Match::exact) return 3;
    limit_files(RLIM_INFINITY);
    return store.record(decision(21)) ? 0 : 4;
  }));
  EXPECT_EQ(status, 0);
  const Store store(dir.path(), stressed_owner);
  EXPECT_TRUE(store.problems().empty());
  EXPECT_EQ(store.lookup(dispatch(0)).match, Match::exact);
  EXPECT_EQ(store.lookup(dispatch(20)).match, Match::exact);
}

TEST(StoreUnderStress, ADamagedFileOnAFullDiskStaysWhereItIs) {
  const QuickDirectory dir;
  const auto path = dir.path() / file_name(stressed_owner.adapter);
  ASSERT_TRUE(Store(dir.path(), stressed_owner).record(decision(0)));
  std::filesystem::resize_file(path, 400);
  const int status = status_of(in_child([&] {
    limit_files(100);
    Store store(dir.path(), stressed_owner);
    return !store.record(decision(1)) && !store.record(decision(2)) ? 0 : 1;
  }));
  EXPECT_EQ(status, 0);
  EXPECT_EQ(std::filesystem::file_size(path), 400U);
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".damaged-1"));
}

}  // namespace
}  // namespace vyre::store
