#include "worker/session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "support/paths.h"
#include "support/subprocess.h"
#include "support/worker.h"

namespace vyre::worker {
namespace {

using namespace std::chrono_literals;
using testing::data_of;
using testing::row;
using testing::TemporaryDirectory;
using testing::values_of;
using testing::worker_options;
using testing::worker_session;

using Numbers = std::vector<std::uint32_t>;

// out[i] = in[i] + 1, and one more in `count` for each launch.
Job increment() {
  return {.source =
              "__kernel void k(__global const uint* in, __global uint* out,"
              "                __global uint* count, uint by) {"
              "  out[get_global_id(0)] = in[get_global_id(0)] + by;"
              "  if (get_global_id(0) == 0) count[0] += 1;"
              "}",
          .entry = "k",
          .arguments = {BufferArgument{data_of(Numbers{1, 2, 3, 4})},
                        BufferArgument{data_of(Numbers(4, 99)), Access::write},
                        BufferArgument{data_of(Numbers{0}), Access::read_write},
                        Literal{Scalar::u32, 1}},
          .shape = row(4, 4)};
}

Job endless() {
  return {.source = "__kernel void k(__global volatile uint* x) { while (x[0] == 0) {} }",
          .entry = "k",
          .arguments = {BufferArgument{data_of(Numbers{0})}},
          .shape = row(1, 1)};
}

void expect_it_works(Session& session) {
  const auto id = session.build(increment());
  ASSERT_TRUE(id) << id.error().message;
  const auto output = session.run(*id);
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(values_of<std::uint32_t>(output->buffers[1].bytes), (Numbers{2, 3, 4, 5}));
  session.forget(*id);
}

TEST(Session, RunsAKernelAndReadsItsBuffersBack) {
  Session session = worker_session();
  EXPECT_EQ(session.adapter().kind, "opencl");
  const auto id = session.build(increment());
  ASSERT_TRUE(id) << id.error().message;
  const auto output = session.run(*id);
  ASSERT_TRUE(output) << output.error().message;
  ASSERT_EQ(output->buffers.size(), 3U);
  EXPECT_EQ(values_of<std::uint32_t>(output->buffers[0].bytes), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(values_of<std::uint32_t>(output->buffers[1].bytes), (Numbers{2, 3, 4, 5}));
  EXPECT_FALSE(output->buffers[1].touched);
}

TEST(Session, ComparesInTheWorkerWhatIsLikely) {
  Session session = worker_session();
  const Job job = increment();
  const auto id = session.build(job);
  ASSERT_TRUE(id) << id.error().message;
  const Data input = std::get<BufferArgument>(job.arguments[0]).content;
  const auto output =
      session.run(*id, std::vector<Data>{input, data_of(Numbers{2, 3, 4, 5}), data_of(Numbers{7})});
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_TRUE(output->buffers[0].is_likely);
  EXPECT_TRUE(output->buffers[1].is_likely);
  EXPECT_TRUE(output->buffers[1].bytes.empty());
  EXPECT_FALSE(output->buffers[2].is_likely);
  EXPECT_EQ(values_of<std::uint32_t>(output->buffers[2].bytes), (Numbers{1}));
}

// What is likely for one of its buffers may be the content of another.
TEST(Session, TakesContentForABufferThatItHasForComparisonOnly) {
  Session session = worker_session();
  const Data doubtful = data_of(Numbers{2, 3, 4, 5});
  const auto first = session.build(increment());
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(session.run(*first, std::vector<Data>{nullptr, doubtful}));
  Job job = increment();
  job.arguments[0] = BufferArgument{doubtful};
  const auto second = session.build(job);
  ASSERT_TRUE(second) << second.error().message;
  const auto output = session.run(*second);
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(values_of<std::uint32_t>(output->buffers[1].bytes), (Numbers{3, 4, 5, 6}));
}

TEST(Session, ReadsBuffersBackThatComeAfterANumber) {
  Session session = worker_session();
  const auto id = session.build(
      {.source = "__kernel void k(uint n, __global uint* x) { x[get_global_id(0)] += n; }",
       .entry = "k",
       .arguments = {Literal{Scalar::u32, 5},
                     BufferArgument{data_of(Numbers{1, 2}), Access::read_write}},
       .shape = row(2, 2)});
  ASSERT_TRUE(id) << id.error().message;
  const auto output = session.run(*id);
  ASSERT_TRUE(output) << output.error().message;
  ASSERT_EQ(output->buffers.size(), 1U);
  EXPECT_EQ(values_of<std::uint32_t>(output->buffers[0].bytes), (Numbers{6, 7}));
}

TEST(Session, RunsTheReferenceDeviceToo) {
  Session session = worker_session(worker_options("reference"));
  EXPECT_EQ(session.language(), Language::vy);
  const auto id = session.build(
      {.source = "program p {\n  buffer x: u32[4] read_write\n  grid 4\n"
                 "  x[invocation.x] = x[invocation.x] * 2\n}\n",
       .entry = "p",
       .arguments = {BufferArgument{data_of(Numbers{1, 2, 3, 4}), Access::read_write}},
       .shape = row(4, 64)});
  ASSERT_TRUE(id) << id.error().message;
  const auto output = session.run(*id);
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(values_of<std::uint32_t>(output->buffers[0].bytes), (Numbers{2, 4, 6, 8}));
}

TEST(Session, RestoresBuffersThatAreReadAndWrittenBeforeEveryLaunch) {
  Session session = worker_session();
  const auto id = session.build(increment());
  ASSERT_TRUE(id) << id.error().message;
  ASSERT_TRUE(session.time(*id, 3));
  const auto output = session.run(*id);
  ASSERT_TRUE(output);
  EXPECT_EQ(values_of<std::uint32_t>(output->buffers[2].bytes), (Numbers{1}));
}

TEST(Session, GivesTheCompilersLog) {
  Session session = worker_session();
  Job kernel = increment();
  kernel.source = "__kernel void k(__global uint* x) { x[0] = undeclared_name; }";
  const auto id = session.build(kernel);
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().kind, ErrorKind::compile);
  EXPECT_TRUE(id.error().message.contains("undeclared_name")) << id.error().message;
  EXPECT_EQ(session.started(), 1U);
}

TEST(Session, PassesOptionsToTheCompiler) {
  Session session = worker_session();
  Job kernel = increment();
  kernel.source =
      "__kernel void k(__global const uint* in, __global uint* out,"
      "                __global uint* count, uint by) { out[0] = N; }";
  kernel.options = "-DN=41 -cl-std=CL1.2";
  const auto id = session.build(kernel);
  ASSERT_TRUE(id) << id.error().message;
  EXPECT_EQ(values_of<std::uint32_t>(session.run(*id)->buffers[1].bytes)[0], 41U);
}

TEST(Session, KillsAKernelAtItsLimitAndGoesOnInANewWorker) {
  auto options = worker_options();
  options.run_limit = 300ms;
  Session session = worker_session(options);
  const auto first = session.process();
  const auto hangs = session.build(endless());
  ASSERT_TRUE(hangs) << hangs.error().message;
  const auto output = session.run(*hangs);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().kind, ErrorKind::timeout);
  EXPECT_EQ(output.error().message, "running it took longer than 0.3 s and was stopped");
  EXPECT_FALSE(session.process());
  EXPECT_EQ(kill(*first, 0), -1) << "the worker is gone and reaped";
  expect_it_works(session);
  EXPECT_EQ(session.started(), 2U);
}

TEST(Session, ANewWorkerIsGivenWhatTheOldOneHad) {
  Session session = worker_session();
  const auto id = session.build(increment());
  ASSERT_TRUE(id && session.run(*id));
  session.renew();
  const auto output = session.run(*id);
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(values_of<std::uint32_t>(output->buffers[1].bytes), (Numbers{2, 3, 4, 5}));
}

TEST(Session, AWorkerKilledFromOutsideIsOneFailure) {
  Session session = worker_session();
  const auto hangs = session.build(endless());
  ASSERT_TRUE(hangs);
  const std::jthread killer([pid = *session.process()] {
    std::this_thread::sleep_for(500ms);
    kill(pid, SIGKILL);
  });
  const auto output = session.run(*hangs);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().kind, ErrorKind::run);
  EXPECT_TRUE(output.error().message.contains("signal 9")) << output.error().message;
  expect_it_works(session);
}

TEST(Session, AWorkerKilledBetweenTwoKernelsIsNotTheNextOnesFault) {
  Session session = worker_session();
  expect_it_works(session);
  kill(*session.process(), SIGKILL);
  expect_it_works(session);
}

// What a session makes of a worker that misbehaves in this way at its first kernel.
Error with_fake(const std::string& how, std::vector<std::string> more = {}) {
  more.push_back("FAKE_WORKER=" + how);
  auto session = Session::start({.program = testing::paths::fake_worker,
                                 .build_limit = 500ms,
                                 .environment = std::move(more)});
  if (!session) return session.error();
  const auto id = session->build(increment());
  if (id) throw std::runtime_error("it built a kernel");
  EXPECT_FALSE(session->process());
  const auto again = session->build(increment());
  if (again) throw std::runtime_error("it built a kernel");
  return again.error();
}

TEST(Session, ToldGarbageEndsTheWorker) {
  for (const auto* how : {"garbage", "huge", "other"}) {
    const Error error = with_fake(how);
    EXPECT_EQ(error.kind, ErrorKind::compile) << how;
    EXPECT_TRUE(error.message.contains("not an answer")) << how << ": " << error.message;
  }
}

TEST(Session, NoticesAWorkerThatIsSilentOrHangsUp) {
  EXPECT_EQ(with_fake("silent").kind, ErrorKind::timeout);
  EXPECT_TRUE(with_fake("close").message.contains("closed its channel"));
  EXPECT_TRUE(with_fake("half").message.contains("closed its channel"));
  EXPECT_TRUE(with_fake("exit").message.contains("ended with status 3"));
}

TEST(Session, RepeatsTheLastWordsOfAWorker) {
  const Error error = with_fake("abort");
  EXPECT_EQ(error.kind, ErrorKind::compile);
  EXPECT_TRUE(error.message.contains("signal 6")) << error.message;
  EXPECT_TRUE(error.message.contains("LLVM ERROR: out of ideas")) << error.message;
}

TEST(Session, SaysThatTheDeviceIsGone) {
  const TemporaryDirectory files;
  const Error error =
      with_fake("exit", {"FAKE_WORKER_UNPLUGGED=" + (files.path() / "flag").string()});
  EXPECT_EQ(error.kind, ErrorKind::no_device);
  EXPECT_EQ(with_fake("dead").kind, ErrorKind::no_device);
}

TEST(Session, ADeviceThatIsNotThereIsAnErrorThatSaysSo) {
  const auto session = Session::start(worker_options("opencl:77"));
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().kind, ErrorKind::no_device);
  EXPECT_TRUE(session.error().message.contains("opencl:77")) << session.error().message;
}

TEST(Session, AWorkerProgramThatIsNotThereIsAnErrorThatSaysSo) {
  const auto session = Session::start({.program = "/nonexistent/vyre-worker"});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().kind, ErrorKind::io);
  EXPECT_TRUE(session.error().message.contains("/nonexistent/vyre-worker"));
}

TEST(Session, RefusesATimeLimitOfNothing) {
  auto options = worker_options();
  options.run_limit = 0ms;
  const auto session = Session::start(options);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().kind, ErrorKind::input);
  EXPECT_TRUE(session.error().message.contains("at least 1 ms")) << session.error().message;
}

TEST(Session, RefusesAScratchPlaceThatIsNotThere) {
  auto options = worker_options();
  options.scratch = "/dev/null/scratch";
  const auto session = Session::start(options);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().kind, ErrorKind::io);
  EXPECT_TRUE(session.error().message.contains("/dev/null/scratch")) << session.error().message;
}

TEST(Session, WithoutDescriptorsSaysSoAndGoesOnWhenThereAreSome) {
#ifdef VYRE_SANITIZED
  GTEST_SKIP() << "UBSan opens a pipe to look at memory, and without one reports what is not there";
#endif
  Session session = worker_session();
  session.renew();
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{.rlim_cur = 3, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  const auto id = session.build(increment());
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().kind, ErrorKind::io);
  EXPECT_TRUE(id.error().message.contains("ulimit -n")) << id.error().message;
  expect_it_works(session);
}

// Needs the right to mount.
TEST(Session, NeedsNoMoreDescriptorsThanItOpens) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  for (const rlim_t most : {256U, 64U}) {
    const rlimit few{.rlim_cur = most, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    auto session = Session::start(worker_options());
    setrlimit(RLIMIT_NOFILE, &before);
    ASSERT_TRUE(session) << session.error().message;
    expect_it_works(*session);
  }
}

TEST(Session, StartsWhereDescriptorsOfTheWorkerAreFreeInItsParent) {
  // Closed here, 0 to 3 are the first that its channel and its log get.
  std::vector<std::pair<int, int>> kept;
  for (int stream = 0; stream < 4; ++stream) {
    if (const int copy = fcntl(stream, F_DUPFD_CLOEXEC, 100); copy >= 0) {
      kept.emplace_back(stream, copy);
      close(stream);
    }
  }
  std::string failed;
  {
    const auto session = Session::start(worker_options("reference"));
    if (!session) failed = session.error().message;
  }
  for (const auto& [stream, copy] : kept) {
    dup2(copy, stream);
    close(copy);
  }
  EXPECT_EQ(failed, "");
}

TEST(Session, AFullDiskIsNotTheKernelsFault) {
  const TemporaryDirectory place;
  if (mount("tmpfs", place.path().c_str(), "tmpfs", 0, "size=40k") != 0) {
    GTEST_SKIP() << "no right to mount a small disk";
  }
  auto options = worker_options();
  options.scratch = place.path().string();
  {
    Session session = worker_session(options);
    const auto id = session.build(increment());
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error().kind, ErrorKind::io);
    EXPECT_TRUE(id.error().message.contains("space left")) << id.error().message;
  }
  EXPECT_EQ(umount(place.path().c_str()), 0);
}

std::ptrdiff_t open_descriptors() {
  using Directory = std::filesystem::directory_iterator;
  return std::distance(Directory("/proc/self/fd"), Directory());
}

TEST(Session, LeavesNoDescriptorOpen) {
  const auto before = open_descriptors();
  {
    Session session = worker_session(worker_options("reference"));
    for (int i = 0; i < 3; ++i) {
      session.renew();
      EXPECT_FALSE(session.build({.source = "no program", .entry = "k"}));
    }
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Session, LeavesNoFileBehind) {
  const TemporaryDirectory place;
  {
    auto options = worker_options();
    options.scratch = place.path().string();
    Session session = worker_session(options);
    expect_it_works(session);
    EXPECT_FALSE(std::filesystem::is_empty(place.path()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

}  // namespace
}  // namespace vyre::worker
