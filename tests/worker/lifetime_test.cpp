#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>

#include "support/subprocess.h"
#include "support/worker.h"
#include "worker/scratch.h"

namespace vyre::worker {
namespace {

using namespace std::chrono_literals;
using testing::data_of;
using testing::row;
using testing::TemporaryDirectory;
using testing::worker_options;
using testing::worker_session;

Job endless_job() {
  return {.source = "__kernel void k(__global volatile uint* x) { while (x[0] == 0) {} }",
          .entry = "k",
          .arguments = {BufferArgument{data_of(std::vector<std::uint32_t>{0})}},
          .shape = row(1, 1)};
}

bool within(std::chrono::seconds limit, const std::function<bool()>& holds) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(20ms);
  }
  return true;
}

// Or dead, and nobody has asked how it ended.
bool is_gone(pid_t pid) {
  std::string stat;
  std::getline(std::ifstream(fmt::format("/proc/{}/stat", pid)), stat);
  return stat.empty() || stat.contains(") Z ");
}

// A process that tells its worker's id and then runs a kernel without end.
pid_t start_parent(const std::filesystem::path& scratch, int tell) {
  const pid_t child = fork();
  if (child != 0) return child;
  auto options = worker_options();
  options.scratch = scratch;
  options.run_limit = 600s;
  auto session = Session::start(options);
  if (!session) _exit(1);
  const auto id = session->build(endless_job());
  const pid_t worker = *session->process();
  if (!id || write(tell, &worker, sizeof worker) != sizeof worker) _exit(2);
  (void)session->run(*id);
  _exit(3);
}

// `meanwhile` is done to the worker while its parent lives.
void expect_to_go_with_its_parent(const std::function<void(pid_t worker)>& meanwhile) {
  const TemporaryDirectory scratch;
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t parent = start_parent(scratch.path(), ends[1]);
  pid_t worker = 0;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  meanwhile(worker);
  EXPECT_FALSE(is_gone(worker));
  kill(parent, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(parent, &status, 0), parent);
  EXPECT_TRUE(within(20s, [&] { return is_gone(worker); }));
  EXPECT_TRUE(within(20s, [&] { return std::filesystem::is_empty(scratch.path()); }));
  close(ends[0]);
  close(ends[1]);
}

TEST(WorkerLifetime, AWorkerAndItsFilesGoWithAParentThatIsKilled) {
  expect_to_go_with_its_parent([](pid_t) { std::this_thread::sleep_for(500ms); });  // in the kernel
}

// It does nothing any more, and wakes to end.
TEST(WorkerLifetime, AWorkerThatStandsStillGoesWithItsParentToo) {
  expect_to_go_with_its_parent([](pid_t worker) { EXPECT_EQ(kill(-worker, SIGSTOP), 0); });
}

// One that waits for work notices the end of its parent as soon as its watchdog does.
TEST(WorkerLifetime, AWorkerThatHasNothingToDoGoesWithItsParentAndItsFilesToo) {
  const TemporaryDirectory scratch;
  for (int i = 0; i < 3; ++i) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const pid_t parent = fork();
    if (parent == 0) {
      auto options = worker_options();
      options.device = "reference";
      options.scratch = scratch.path().string();
      const auto session = Session::start(options);
      if (!session || write(ends[1], "x", 1) != 1) _exit(1);
      while (true) pause();
    }
    char started = 0;
    ASSERT_EQ(read(ends[0], &started, 1), 1);
    kill(parent, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(parent, &status, 0), parent);
    EXPECT_TRUE(within(20s, [&] { return std::filesystem::is_empty(scratch.path()); }));
    close(ends[0]);
    close(ends[1]);
  }
}

TEST(WorkerLifetime, AWorkerOutlivesTheThreadThatStartedIt) {
  std::optional<Session> session;
  std::thread([&] { session.emplace(worker_session()); }).join();
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(session->build(endless_job()));
  EXPECT_EQ(session->started(), 1U);
}

Job scripted_job() {
  return {.source =
              "program k {\n  buffer x: u32[4] read_write\n  grid 4\n"
              "  x[invocation.x] = x[invocation.x] * 2\n}\n",
          .entry = "k",
          .arguments = {BufferArgument{data_of(std::vector<std::uint32_t>(4)), Access::read_write}},
          .shape = row(4, 64)};
}

// The process that the worker said it started.
pid_t child_in(const std::string& log) {
  constexpr std::string_view before = "child ";
  const std::size_t at = log.find(before);
  if (at == std::string::npos) throw std::runtime_error("no child in: " + log);
  return std::stoi(log.substr(at + before.size()));
}

TEST(WorkerLifetime, WhatAWorkerStartedEndsWithIt) {
  Session session = worker_session(testing::scripted_options("k: child"));
  const auto id = session.build(scripted_job());
  ASSERT_TRUE(id && session.time(*id));
  const pid_t child = child_in(session.log());
  EXPECT_FALSE(is_gone(child));
  session.renew();
  EXPECT_TRUE(within(20s, [&] { return is_gone(child); }));
}

TEST(WorkerLifetime, WhatAWorkerStartedEndsAlsoIfTheWorkerDiedByItself) {
  Session session = worker_session(testing::scripted_options("k: child crash"));
  const auto id = session.build(scripted_job());
  ASSERT_TRUE(id && session.time(*id));
  const auto crashed = session.time(*id);
  ASSERT_FALSE(crashed);
  EXPECT_EQ(crashed.error().kind, ErrorKind::run) << "seen at once, not at its limit";
  const pid_t child = child_in(crashed.error().message);
  EXPECT_TRUE(within(20s, [&] { return is_gone(child); }));
}

void make_old(const std::filesystem::path& directory) {
  std::filesystem::last_write_time(directory, std::filesystem::file_time_type::clock::now() - 1h);
}

// As a session that was killed leaves it: its copy, without a lock that is held.
std::filesystem::path abandoned_in(const TemporaryDirectory& place, const std::string& name) {
  const auto copy = place.path() / name;
  std::filesystem::copy(Scratch::make(place.path())->path(), copy,
                        std::filesystem::copy_options::recursive);
  std::filesystem::permissions(copy, std::filesystem::perms::owner_all);
  make_old(copy);
  return copy;
}

TEST(WorkerLifetime, DirectoriesOfSessionsThatWereKilledAreSweptLater) {
  const TemporaryDirectory place;
  const auto abandoned = abandoned_in(place, "vyre-worker-old");
  const auto first = Scratch::make(place.path());
  ASSERT_TRUE(first);
  EXPECT_FALSE(std::filesystem::exists(abandoned));
  make_old(first->path());
  const auto second = Scratch::make(place.path());
  EXPECT_TRUE(std::filesystem::exists(first->path())) << "it is in use";
}

TEST(WorkerLifetime, DirectoriesOfSessionsThatWereKilledAtTheirStartAreSweptToo) {
  const TemporaryDirectory place;
  for (const char* name : {"vyre-worker-aaaaaa", "vyre-worker-bbbbbb"}) {
    ASSERT_EQ(mkdir((place.path() / name).c_str(), 0700), 0);
  }
  place.write("vyre-worker-bbbbbb/lock", "");
  for (const std::string& name : place.names()) make_old(place.path() / name);
  {
    ASSERT_TRUE(Scratch::make(place.path()));
  }
  EXPECT_EQ(place.names(), std::vector<std::string>());
}

// Another session may be about to lock it.
TEST(WorkerLifetime, ADirectoryThatWasMadeJustNowIsNotSwept) {
  const TemporaryDirectory place;
  const auto fresh = abandoned_in(place, "vyre-worker-fresh");
  std::filesystem::last_write_time(fresh, std::filesystem::file_time_type::clock::now());
  ASSERT_TRUE(Scratch::make(place.path()));
  EXPECT_TRUE(std::filesystem::exists(fresh));
}

TEST(WorkerLifetime, DirectoriesThatVyreDidNotMakeAreNotSwept) {
  const TemporaryDirectory place;
  std::filesystem::create_directories(place.path() / "somebody-elses");
  std::filesystem::create_directories(place.path() / "vyre-worker-empty");
  std::filesystem::create_directories(place.path() / "vyre-worker-notes");
  place.write("vyre-worker-notes/lock",
              "the lock of my bicycle, which is green and has three gears");
  chmod((place.path() / "vyre-worker-notes").c_str(), 0700);
  const TemporaryDirectory other;
  std::filesystem::create_symlink(abandoned_in(other, "vyre-worker-linked"),
                                  place.path() / "vyre-worker-link");
  const auto foreign = abandoned_in(place, "vyre-worker-foreign");
  const bool is_root = chown(foreign.c_str(), 1, 1) == 0;
  for (const auto& entry : std::filesystem::directory_iterator(place.path())) {
    if (!entry.is_symlink()) make_old(entry.path());
  }
  const std::vector<std::string> before = place.names();
  {
    ASSERT_TRUE(Scratch::make(place.path()));
  }
  std::vector<std::string> kept = before;
  if (!is_root) std::erase(kept, "vyre-worker-foreign");  // it stayed this user's
  EXPECT_EQ(place.names(), kept);
  EXPECT_EQ(other.names(), std::vector<std::string>{"vyre-worker-linked"});
}

}  // namespace
}  // namespace vyre::worker
