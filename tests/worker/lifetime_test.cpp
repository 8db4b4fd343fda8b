#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
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

bool is_gone(pid_t pid) { return kill(pid, 0) != 0 && errno == ESRCH; }

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

TEST(WorkerLifetime, AWorkerAndItsFilesGoWithAParentThatIsKilled) {
  const TemporaryDirectory scratch;
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t parent = start_parent(scratch.path(), ends[1]);
  pid_t worker = 0;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  std::this_thread::sleep_for(500ms);  // into the kernel
  EXPECT_FALSE(is_gone(worker));
  kill(parent, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(parent, &status, 0), parent);
  EXPECT_TRUE(within(20s, [&] { return is_gone(worker); }));
  EXPECT_TRUE(within(20s, [&] { return std::filesystem::is_empty(scratch.path()); }));
  close(ends[0]);
  close(ends[1]);
}

TEST(WorkerLifetime, AWorkerOutlivesTheThreadThatStartedIt) {
  std::optional<Session> session;
  std::thread([&] { session.emplace(worker_session()); }).join();
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(session->build(endless_job()));
  EXPECT_EQ(session->started(), 1U);
}

TEST(WorkerLifetime, DirectoriesOfSessionsThatWereKilledAreSweptLater) {
  const TemporaryDirectory place;
  const auto abandoned = place.path() / "vyre-worker-old";
  std::filesystem::create_directory(abandoned);
  place.write("vyre-worker-old/lock", "");
  std::filesystem::last_write_time(abandoned, std::filesystem::file_time_type::clock::now() - 1h);
  std::filesystem::create_directory(place.path() / "somebody-elses");
  const auto first = Scratch::make(place.path());
  ASSERT_TRUE(first);
  EXPECT_FALSE(std::filesystem::exists(abandoned));
  EXPECT_TRUE(std::filesystem::exists(place.path() / "somebody-elses"));
  std::filesystem::last_write_time(first->path(),
                                   std::filesystem::file_time_type::clock::now() - 1h);
  const auto second = Scratch::make(place.path());
  EXPECT_TRUE(std::filesystem::exists(first->path())) << "it is in use";
}

}  // namespace
}  // namespace vyre::worker
