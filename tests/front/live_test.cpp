// Kernels that are tuned by their calls, with a real worker on a real device.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "front/opened.h"
#include "support/subprocess.h"
#include "vyre/store/store.h"
#include "vyre/vyre.h"

namespace vyre {
namespace {

using namespace std::chrono_literals;
using testing::add_one_text;
using testing::must;
using testing::opened;
using testing::quiet;
using testing::scale_text;

// The search may cost what it costs.
ContextOptions live_options(std::size_t evaluations = 3, const std::string& store = "none") {
  auto options = quiet();
  options.mode = tune::Mode::live;
  options.live = {.share = 1, .evaluations = evaluations};
  options.store = store;
  return options;
}

// Calls until `enough` is true, for minutes if need be; whether it came to be.
template <class Call, class Enough>
bool call_until(const Context& gpu, const Call& call, const Enough& enough) {
  const auto deadline = std::chrono::steady_clock::now() + 5min;
  while (std::chrono::steady_clock::now() < deadline) {
    for (int i = 0; i < 20; ++i) call();
    if (!gpu.finish()) return false;
    if (enough()) return true;
  }
  return false;
}

TEST(LiveKernels, RunAtOnceAndAreTunedByTheirCalls) {
  const Context gpu = opened(live_options());
  const auto more = must(gpu.kernel<unsigned>(add_one_text));
  const auto x = gpu.array<unsigned>(4096);
  unsigned calls = 0;
  const auto call = [&] { more(x), ++calls; };
  call();
  EXPECT_FALSE(more.tuned());
  EXPECT_NE(more.why().find("is tuned by its calls"), std::string::npos) << more.why();
  ASSERT_TRUE(call_until(gpu, call, [&] { return more.live().searched && more.live().settled; }))
      << more.why();
  // One of three is the kernel as it is where the device has no clock.
  EXPECT_GE(more.live().tried, 2U);
  EXPECT_EQ(more.live().dispatches + 1, calls) << "the first was not live yet";
  const auto result = must(x.to_host());
  EXPECT_EQ(std::ranges::count(result, calls), 4096) << "every call counts, whichever ran";
}

TEST(LiveKernels, AreRememberedAsFoundLive) {
  const testing::TemporaryDirectory directory;
  const Context gpu = opened(live_options(4, directory.path().string()));
  const auto more = must(gpu.kernel<unsigned>(add_one_text));
  const auto x = gpu.array<unsigned>(1U << 18U);
  // By a context that comes later.
  const auto remembered = [&] {
    if (!more.live().searched || !more.tuned()) return false;
    const Context next = opened(live_options(4, directory.path().string()));
    const auto again = must(next.kernel<unsigned>(add_one_text));
    again(next.array<unsigned>(1U << 18U));
    EXPECT_TRUE(next.finish());
    return again.tuned() && again.live().arms.empty();
  };
  ASSERT_TRUE(call_until(gpu, [&] { more(x); }, remembered)) << more.why();
  const store::Store store(directory.path(), store::owner_of(gpu.adapter()));
  const auto decisions = store.decisions();
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_EQ(decisions[0]->evidence->strategy, "live");
}

// With nothing else to try, what the store has for another size is tried all the same.
TEST(LiveKernels, StartFromWhatWasDecidedForAnotherSize) {
  const testing::TemporaryDirectory directory;
  bool another = false;  // than the kernel as it is
  {
    const Context gpu = opened(testing::searching(directory.path()));
    const auto more = must(gpu.kernel<unsigned>(add_one_text));
    more(gpu.array<unsigned>(1U << 20U));
    ASSERT_TRUE(gpu.finish());
    ASSERT_TRUE(more.tuned()) << more.why();
    another = more.configuration().find("wg_x=64 vector=1 items_x=1 ") == std::string::npos;
  }
  const Context gpu = opened(live_options(1, directory.path().string()));
  const auto more = must(gpu.kernel<unsigned>(add_one_text));
  const auto x = gpu.array<unsigned>(1U << 19U);  // a small one does not have all configurations
  ASSERT_TRUE(call_until(gpu, [&] { more(x); }, [&] { return more.live().searched; }));
  EXPECT_EQ(more.live().tried > 0, another);
}

TEST(LiveKernels, TuneEachSizeByItself) {
  const Context gpu = opened(live_options(3));
  const auto more = must(gpu.kernel<unsigned>(add_one_text));
  for (const std::size_t n : {4096U, 8192U}) {
    const auto x = gpu.array<unsigned>(n);
    ASSERT_TRUE(call_until(
        gpu, [&] { more(x); }, [&] { return more.live().searched && more.live().settled; }))
        << more.why();
  }
  EXPECT_NE(gpu.stats().find("tunings: 2"), std::string::npos) << gpu.stats();
}

// Thousands of members would be tried for the first before it is the turn of the second.
TEST(LiveKernels, DoNotWaitForTheSearchOfASizeThatIsNotUsedAnyMore) {
  const Context gpu = opened(live_options(100'000));
  const auto more = must(gpu.kernel<unsigned>(add_one_text));
  for (const std::size_t n : {4096U, 8192U}) {
    const auto x = gpu.array<unsigned>(n);
    ASSERT_TRUE(call_until(
        gpu, [&] { more(x); }, [&] { return more.live().tried > 0; }))
        << more.why();
    EXPECT_FALSE(more.live().searched);
  }
}

// Its search waits for a call, to copy what it works on.
TEST(LiveKernels, DoNotWaitForASizeThatWasCalledAFewTimes) {
  const Context gpu = opened(live_options(100'000));
  const auto more = must(gpu.kernel<unsigned>(add_one_text));
  const auto once = gpu.array<unsigned>(4096);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(more(once).wait());
  std::this_thread::sleep_for(200ms);
  const auto x = gpu.array<unsigned>(8192);
  ASSERT_TRUE(call_until(
      gpu, [&] { more(x); }, [&] { return more.live().tried > 0; }))
      << more.why();
}

TEST(LiveKernels, TakeTurnsInBeingSearched) {
  const Context gpu = opened(live_options(100'000));
  const auto more = must(gpu.kernel<unsigned>(add_one_text));
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto n = gpu.array<unsigned>(4096);
  const auto x = gpu.array<float>(4096);
  const auto y = gpu.array<float>(4096);
  const auto both = [&] { more(n), scale(x, y); };
  ASSERT_TRUE(
      call_until(gpu, both, [&] { return std::min(more.live().tried, scale.live().tried) > 8; }));
  EXPECT_NE(gpu.stats().find("tunings: 2"), std::string::npos) << gpu.stats();
}

// What is recorded keeps its uniforms, and takes part in turns.
TEST(LiveKernels, AreTunedByRecordedCalls) {
  const Context gpu = opened(live_options());
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const std::vector<float> ones(4096, 1.0F);
  const auto x = gpu.array(ones);
  const auto y = gpu.array<float>(4096);
  ASSERT_TRUE(scale.set("factor", 3.0F));
  const Step step = gpu.record([&] { scale(x, y); });
  ASSERT_TRUE(scale.set("factor", 5.0F));
  ASSERT_TRUE(call_until(
      gpu,
      [&] {
        step.run();
        const auto result = must(y.to_host());
        ASSERT_EQ(std::ranges::count(result, 3.0F), 4096);
      },
      [&] { return scale.live().searched && scale.live().settled; }))
      << scale.why();
  // What it was recorded with counts, not what was set afterwards.
  EXPECT_GT(scale.live().tried, 0U);
  EXPECT_LT(scale.live().failed, scale.live().tried);
  scale(x, y);
  const auto result = must(y.to_host());
  EXPECT_EQ(std::ranges::count(result, 5.0F), 4096);
}

TEST(LiveKernels, TakeUniformsThatAreSetWhileTheyAreTuned) {
  const Context gpu = opened(live_options(4));
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const std::vector<float> ones(4096, 1.0F);
  const auto x = gpu.array(ones);
  const auto y = gpu.array<float>(4096);
  float factor = 1;
  ASSERT_TRUE(call_until(
      gpu,
      [&] {
        factor += 1;
        ASSERT_TRUE(scale.set("factor", factor));
        scale(x, y);
        const auto result = must(y.to_host());
        ASSERT_EQ(std::ranges::count(result, factor), 4096);
      },
      [&] { return scale.live().searched && scale.live().settled; }))
      << scale.why();
}

TEST(LiveKernels, MayBeCalledByManyThreads) {
  constexpr unsigned threads = 8;
  const Context gpu = opened(live_options());
  const auto more = must(gpu.kernel<unsigned>(add_one_text));
  std::atomic<bool> done = false;
  std::vector<std::thread> running;
  std::vector<unsigned> calls(threads);
  std::vector<Array<unsigned>> arrays;
  for (unsigned t = 0; t < threads; ++t) arrays.push_back(gpu.array<unsigned>(4096));
  for (unsigned t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      while (!done || calls[t] < 100) {
        more(arrays[t]);
        if (++calls[t] % 50 == 0) {
          EXPECT_TRUE(gpu.finish());
        }
      }
    });
  }
  const auto deadline = std::chrono::steady_clock::now() + 5min;
  while (!more.live().searched && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(10ms);
  }
  done = true;
  for (std::thread& thread : running) thread.join();
  EXPECT_TRUE(more.live().searched);
  for (unsigned t = 0; t < threads; ++t) {
    const auto result = must(arrays[t].to_host());
    EXPECT_EQ(std::ranges::count(result, calls[t]), 4096);
  }
}

// A context with a worker that is of no use; the kernel runs as it is, rightly, and says `why` if
// that is known.
void expect_right_without_worker(ContextOptions options, const std::string& why) {
  const auto began = std::chrono::steady_clock::now();
  {
    const Context gpu = opened(std::move(options));
    const auto more = must(gpu.kernel<unsigned>(add_one_text));
    const auto x = gpu.array<unsigned>(4096);
    unsigned calls = 0;
    for (; calls < 200; ++calls) more(x);
    EXPECT_TRUE(gpu.finish());
    const auto ended = [&] { return more.live().searched; };
    if (!why.empty()) {
      EXPECT_TRUE(call_until(gpu, [&] { more(x), ++calls; }, ended));
    }
    const auto result = must(x.to_host());
    EXPECT_EQ(std::ranges::count(result, calls), 4096);
    EXPECT_NE(more.why().find(why), std::string::npos) << more.why();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, 2min) << "nobody waits for it at the end";
}

TEST(LiveKernels, StayAsTheyAreWhereTheWorkerCannotStart) {
  auto options = live_options();
  options.worker.program = "/dev/null/no-such-worker";
  expect_right_without_worker(std::move(options), "add_one is not tuned further: ");
}

TEST(LiveKernels, StayAsTheyAreWhereTheWorkerDies) {
  auto options = live_options();
  options.worker.program = testing::paths::fake_worker;
  options.worker.environment = {"FAKE_WORKER=dead"};
  expect_right_without_worker(std::move(options), "add_one is not tuned further: ");
}

TEST(LiveKernels, StayAsTheyAreWhereEveryKernelBringsTheWorkerDown) {
  auto options = live_options();
  options.worker.program = testing::paths::fake_worker;
  options.worker.environment = {"FAKE_WORKER=abort"};
  expect_right_without_worker(std::move(options), "other members was right");
}

TEST(LiveKernels, DoNotWaitForAWorkerThatHangs) {
  auto options = live_options();
  options.worker.program = testing::paths::fake_worker;
  options.worker.environment = {"FAKE_WORKER=hang"};
  options.worker.build_limit = std::chrono::hours(1);
  expect_right_without_worker(std::move(options), "");
}

TEST(LiveKernels, MayEndBeforeTheirSearchDoes) {
  const Context gpu = opened(live_options());
  for (int i = 0; i < 5; ++i) {
    const auto more = must(gpu.kernel<unsigned>(add_one_text));
    const auto x = gpu.array<unsigned>(4096 + static_cast<std::size_t>(i));
    for (int call = 0; call < 60; ++call) more(x);
    EXPECT_EQ(must(x.to_host())[7], 60U);
  }
  EXPECT_TRUE(gpu.finish());
}

TEST(LiveKernels, AreDecidedAheadOfTimeWhereOneAsks) {
  const Context gpu = opened(live_options());
  const auto more = must(gpu.kernel<unsigned>(add_one_text));
  const auto x = gpu.array<unsigned>(4096);
  for (int i = 0; i < 30; ++i) more(x);
  ASSERT_TRUE(more.tune(x, {.evaluations = 3}));
  EXPECT_TRUE(more.live().arms.empty()) << "it is not tuned by its calls any more";
  more(x);
  EXPECT_EQ(must(x.to_host())[0], 31U);
}

TEST(LiveKernels, RefuseAShareThatIsNone) {
  auto options = live_options();
  options.live.share = 0;
  const auto gpu = Context::open(std::move(options));
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error().message,
            "live.share is 0; it is a part of the machine, above 0 and at most 1");
}

}  // namespace
}  // namespace vyre
