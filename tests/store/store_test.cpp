// The store as a program uses it: what it finds, what it remembers, and what it says when the disk
// does not play along.
#include "vyre/store/store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "store/directory.h"
#include "store/samples.h"
#include "store/stress.h"
#include "support/subprocess.h"

namespace vyre::store {
namespace {

using testing::decision;
using testing::dispatch;
using testing::TemporaryDirectory;

const Owner owner{.adapter = "opencl-a", .device = "A", .driver = "3.1 (OpenCL 3.0)"};

TEST(Store, FindsExactlyWhatWasRecordedAlsoAfterItIsOpenedAgain) {
  const TemporaryDirectory dir;
  {
    Store store(dir.path(), owner);
    EXPECT_EQ(store.lookup(dispatch(1)).match, Match::nothing);
    ASSERT_TRUE(store.record(decision(1)));
    EXPECT_EQ(store.lookup(dispatch(1)).match, Match::exact);
  }
  const Store again(dir.path(), owner);
  EXPECT_TRUE(again.problems().empty());
  const Found found = again.lookup(dispatch(1));
  EXPECT_EQ(found.match, Match::exact);
  EXPECT_EQ(*found.decision, decision(1));
  EXPECT_FALSE(found.other_driver);
  EXPECT_EQ(again.lookup(decision(1).key).match, Match::exact);
  EXPECT_EQ(again.lookup(decision(2).key).match, Match::nothing);
}

TEST(Store, FindsTheNearestSizeOfTheSameProgram) {
  const TemporaryDirectory dir;
  Store store(dir.path(), owner);
  for (const std::uint32_t n : {9U, 99U, 999U}) ASSERT_TRUE(store.record(decision(n)));
  ASSERT_TRUE(store.record(decision(120, "another")));
  const Found found = store.lookup(dispatch(120));
  EXPECT_EQ(found.match, Match::nearest_size);
  EXPECT_EQ(*found.decision, decision(99));
  EXPECT_EQ(*store.lookup(dispatch(0)).decision, decision(9));
  EXPECT_EQ(*store.lookup(dispatch(1'000'000)).decision, decision(999));
  EXPECT_EQ(store.lookup(dispatch(9, "unknown")).match, Match::nothing);
}

TEST(Store, FindsTheProgramOnAnotherAdapterAndPrefersTheSameDevice) {
  const TemporaryDirectory dir;
  const auto record = [&](const Owner& whose, const Decision& made) {
    ASSERT_TRUE(Store(dir.path(), whose).record(made));
  };
  record({"opencl-b", "B", "1"}, decision(5));
  const Store lonely(dir.path(), owner);
  EXPECT_EQ(lonely.lookup(dispatch(5)).match, Match::other_adapter);
  EXPECT_EQ(lonely.lookup(dispatch(5)).adapter, "opencl-b");

  record({"opencl-a-before", "A", "3.0"}, decision(500));
  const Found found = Store(dir.path(), owner).lookup(dispatch(5));
  EXPECT_EQ(found.match, Match::other_adapter);
  EXPECT_EQ(found.adapter, "opencl-a-before");
  EXPECT_EQ(*found.decision, decision(500));
}

TEST(Store, KnowsADecisionFromAnotherDriverVersion) {
  const TemporaryDirectory dir;
  ASSERT_TRUE(Store(dir.path(), owner).record(decision(1)));
  const Store updated(dir.path(), {"opencl-a", "A", "4.0"});
  EXPECT_EQ(updated.lookup(dispatch(1)).match, Match::exact);
  EXPECT_TRUE(updated.lookup(dispatch(1)).other_driver);
}

TEST(Store, FillsInDriverVersionAndDate) {
  const TemporaryDirectory dir;
  Store store(dir.path(), {"opencl-a", "A", "driver \xff"});
  Decision made = decision(1);
  made.evidence->driver.clear();
  made.evidence->vyre.clear();
  made.evidence->date = {};
  ASSERT_TRUE(store.record(made));
  const Found found = Store(dir.path(), {"opencl-a", "A", "driver \xff"}).lookup(dispatch(1));
  ASSERT_TRUE(found.decision);
  EXPECT_FALSE(found.other_driver);
  EXPECT_FALSE(found.decision->evidence->vyre.empty());
  EXPECT_GT(found.decision->evidence->date.time_since_epoch().count(), 1'700'000'000);
}

TEST(Store, GivesAllDecisionsOfItsAdapter) {
  const TemporaryDirectory dir;
  ASSERT_TRUE(Store(dir.path(), {"opencl-b", "B", "1"}).record(decision(7)));
  Store store(dir.path(), owner);
  EXPECT_TRUE(store.decisions().empty());
  for (const std::uint32_t n : {1U, 2U}) ASSERT_TRUE(store.record(decision(n, "other")));
  const auto decisions = store.decisions();
  ASSERT_EQ(decisions.size(), 2U);
  for (const auto& each : decisions) {
    EXPECT_EQ(*store.lookup(each->key).decision, *each);
    EXPECT_EQ(each->evidence->program_name, "other");
  }
}

TEST(Store, ANewDecisionTakesThePlaceOfTheOldOne) {
  const TemporaryDirectory dir;
  Store store(dir.path(), owner);
  ASSERT_TRUE(store.record(decision(1)));
  const Found before = store.lookup(dispatch(1));
  Decision slower = decision(1);
  slower.workgroup = {8, 8, 8};
  slower.evidence->elapsed = {1e9, {1e9, 1e9}};
  ASSERT_TRUE(store.record(slower));
  EXPECT_EQ(*store.lookup(dispatch(1)).decision, slower);
  EXPECT_EQ(*before.decision, decision(1));  // whoever holds it keeps it
  EXPECT_EQ(store.size(), 1U);
}

TEST(Store, RefusesADecisionThatIsNotValid) {
  const TemporaryDirectory dir;
  Store store(dir.path(), owner);
  Decision bad = decision(1);
  bad.workgroup = {0, 1, 1};
  const auto recorded = store.record(bad);
  ASSERT_FALSE(recorded);
  EXPECT_EQ(recorded.error().kind, ErrorKind::input);
  EXPECT_EQ(store.size(), 0U);
}

TEST(Store, SeesWhatOthersRecordedWhenItSaves) {
  const TemporaryDirectory dir;
  Store one(dir.path(), owner);
  Store two(dir.path(), owner);
  for (std::uint32_t n = 0; n < 20; ++n) {
    ASSERT_TRUE((n % 2 == 0 ? one : two).record(decision(n)));
  }
  EXPECT_EQ(one.size(), 19U);  // the last is not known to it yet
  EXPECT_EQ(two.size(), 20U);
  EXPECT_EQ(Store(dir.path(), owner).size(), 20U);
}

// What was saved once is not saved again with the next decision, over what another decided since.
TEST(Store, DoesNotPutItsOldDecisionOverAnothersNewOne) {
  const TemporaryDirectory dir;
  Store one(dir.path(), owner);
  Store two(dir.path(), owner);
  ASSERT_TRUE(one.record(decision(1)));
  Decision newer = decision(1);
  newer.workgroup = {8, 8, 8};
  ASSERT_TRUE(two.record(newer));
  ASSERT_TRUE(one.record(decision(2)));
  EXPECT_EQ(*one.lookup(dispatch(1)).decision, newer);
  EXPECT_EQ(*Store(dir.path(), owner).lookup(dispatch(1)).decision, newer);
}

TEST(Store, IsUsedByManyThreadsAtOnce) {
  const TemporaryDirectory dir;
  Store store(dir.path(), owner);
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&store, t] {
      for (std::uint32_t n = 0; n < 5; ++n) {
        EXPECT_TRUE(store.record(decision(5 * t + n)));
        EXPECT_EQ(store.lookup(dispatch(5 * t + n)).match, Match::exact);
        EXPECT_NE(store.lookup(dispatch(1'000)).match, Match::nothing);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store.size(), 20U);
}

TEST(Store, OfAHostileAdapterStaysInItsDirectory) {
  const TemporaryDirectory dir;
  const auto inside = dir.path() / "a" / "b" / "tuner";
  ASSERT_TRUE(Store(inside, {"../../x", "X", "1"}).record(decision(1)));
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir.path())) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(entry.path().parent_path(), inside);
    ++count;
  }
  EXPECT_EQ(count, 2U);  // the file and its lock
  EXPECT_EQ(Store(inside, {"../../x", "X", "1"}).size(), 1U);
  EXPECT_EQ(Store(inside, {"x", "X", "1"}).size(), 0U);
}

// Also for root, whom permissions do not stop.
TEST(Store, WhereNoDirectoryCanBeMadeTheDecisionStaysInMemoryWithAMessage) {
  const TemporaryDirectory dir;
  const std::filesystem::path blocked = dir.write("file", "not a directory");
  Store store(blocked / "vyre" / "tuner", owner);
  EXPECT_EQ(store.lookup(dispatch(1)).match, Match::nothing);
  const auto recorded = store.record(decision(1));
  ASSERT_FALSE(recorded);
  EXPECT_EQ(recorded.error().kind, ErrorKind::io);
  EXPECT_NE(recorded.error().message.find(blocked.string()), std::string::npos);
  EXPECT_EQ(store.lookup(dispatch(1)).match, Match::exact);
  // Once it can be saved, what failed before is saved too.
  std::filesystem::remove(blocked);
  ASSERT_TRUE(store.record(decision(2)));
  EXPECT_EQ(Store(blocked / "vyre" / "tuner", owner).size(), 2U);
}

constexpr unsigned nobody = 65534;

// Root may write everywhere, so it becomes nobody, who owns the files but not the directory.
bool become_someone_without_rights() {
  return geteuid() != 0 || (setgid(nobody) == 0 && setuid(nobody) == 0);
}

// The status of the child says which step went wrong.
int record_in_read_only(const std::filesystem::path& directory) {
  constexpr int cannot_try = 77;
  if (!become_someone_without_rights()) return cannot_try;
  Store store(directory, owner);
  if (!store.problems().empty() || store.lookup(dispatch(1)).match != Match::exact) return 1;
  const auto recorded = store.record(decision(2));
  if (recorded) return 2;
  if (recorded.error().kind != ErrorKind::io) return 3;
  if (recorded.error().message.find(directory.string()) == std::string::npos) return 4;
  return store.lookup(dispatch(2)).match == Match::exact ? 0 : 5;
}

TEST(Store, AReadOnlyDirectoryGivesAMessageAndTheRunGoesOn) {
  const TemporaryDirectory dir;
  ASSERT_TRUE(Store(dir.path(), owner).record(decision(1)));
  std::filesystem::permissions(dir.path(), std::filesystem::perms(0555));
  for (const std::string& name : dir.names()) {
    if (geteuid() != 0) break;
    ASSERT_EQ(chown((dir.path() / name).c_str(), nobody, nobody), 0);
  }
  const int status =
      testing::status_of(testing::in_child([&] { return record_in_read_only(dir.path()); }));
  std::filesystem::permissions(dir.path(), std::filesystem::perms::owner_all);
  if (status == 77) GTEST_SKIP() << "this user can become no other";
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Store(dir.path(), owner).size(), 1U);
}

TEST(Store, WhereAnythingElseHasTheNameOfTheFileItIsReportedAndNotTouched) {
  const TemporaryDirectory dir;
  const auto path = dir.path() / file_name(owner.adapter);
  std::filesystem::create_directory(path);
  Store store(dir.path(), owner);
  ASSERT_EQ(store.problems().size(), 1U);
  EXPECT_NE(store.problems()[0].find("is not a file"), std::string::npos);
  EXPECT_FALSE(store.record(decision(1)));
  EXPECT_EQ(store.lookup(dispatch(1)).match, Match::exact);
  EXPECT_TRUE(std::filesystem::is_directory(path));
}

TEST(Store, OwnerComesFromTheAdapter) {
  const device::Adapter adapter{.kind = "opencl", .name = "A", .driver = "3.1"};
  const Owner made = owner_of(adapter);
  EXPECT_EQ(made.adapter, adapter.id());
  EXPECT_EQ(made.driver, "3.1");
}

}  // namespace
}  // namespace vyre::store
