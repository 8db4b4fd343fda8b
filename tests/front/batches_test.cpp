#include "vyre/front/batches.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "front/batches_state.h"
#include "front/opened.h"

namespace vyre {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;
using testing::must;
using testing::opened;
using testing::opened_on;
using testing::quiet;
using testing::scale_text;

// Nothing runs but what fills a batch or is flushed.
constexpr nanoseconds for_ever = hours(1000);

constexpr const char* both_text = R"(program both {
  uniform n: u32 = 1  uniform k: u32 = 1
  buffer a: f32[n * k] read
  buffer b: u32[n] read
  buffer sum: f32[n] write
  buffer square: u32[n * 2] write
  grid n
  let i = invocation.x
  var total = 0.0
  for j in 0 .. k { total = total + a[i * k + j] }
  sum[i] = total
  square[i * 2] = b[i]
  square[i * 2 + 1] = b[i] * b[i]
})";

// Fails for an item that is not below 1000.
constexpr const char* picky_text = R"(program picky {
  uniform n: u32 = 1
  buffer x: u32[n] read
  buffer y: u32[n] write
  grid n
  let i = invocation.x
  if x[i] < 1000 { y[i] = x[i] + 1 } else { y[x[i]] = 0 }
})";

// Every question takes a microsecond; more passes when a test says so.
class TickingClock final : public Clock {
 public:
  nanoseconds now() override { return nanoseconds(time_ += 1000); }
  void advance(nanoseconds time) { time_ += time.count(); }

 private:
  std::atomic<std::int64_t> time_ = 0;
};

// With a clock of the test's.
template <class... Args>
Batches<Args...> timed(const Kernel<Args...>& kernel, const BatchOptions& options, Clock& clock) {
  return Batches<Args...>(must(detail::BatchesState::make(kernel.state(), options, clock)), {});
}

std::vector<float> numbers(std::size_t count, float first = 0) {
  std::vector<float> made(count);
  std::iota(made.begin(), made.end(), first);
  return made;
}

template <class T>
std::string message_of(const Result<T>& result) {
  return result ? "no error" : to_string(result.error());
}

TEST(BatchesOfItems, GiveResultsInTheOrderOfThePushesOnEveryDevice) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = opened_on(device);
    const auto scale = must(gpu.kernel<const float, float>(scale_text));
    const auto batches = must(gpu.batches(scale, {.least = 8, .most = 64}));
    std::size_t pushed = 0;
    for (const std::size_t many : {1U, 1U, 7U, 8U, 100U, 3U, 1U, 200U}) {
      must(batches.push(numbers(many, static_cast<float>(pushed))));
      pushed += many;
    }
    must(batches.push(static_cast<float>(pushed++)));
    EXPECT_EQ(batches.due(), pushed);
    std::vector<float> all;
    while (batches.due() > 0) {
      for (const float y : must(batches.pull(std::min<std::size_t>(50, batches.due())))) {
        all.push_back(y);
      }
    }
    ASSERT_EQ(all.size(), pushed);
    for (std::size_t i = 0; i < pushed; ++i) EXPECT_EQ(all[i], 2.0F * static_cast<float>(i));
    EXPECT_TRUE(batches.flush());
    EXPECT_TRUE(gpu.finish());
  }
}

TEST(BatchesOfItems, TakeItemsOfSeveralNumbersAndArrays) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = opened_on(device);
    const auto both =
        must(gpu.kernel<const float, const std::uint32_t, float, std::uint32_t>(both_text));
    const auto batches =
        must(gpu.batches(both, {.least = 4, .most = 4, .item = {{3}, {}, {}, {2}}}));
    must(batches.push(std::vector<float>{1, 2, 3}, 5U));
    must(batches.push(std::vector<float>{1, 1, 1, 2, 2, 2}, std::vector<std::uint32_t>{6, 7}));
    const auto [sum, square] = must(batches.pull(3));
    EXPECT_EQ(sum, (std::vector<float>{6, 3, 6}));
    EXPECT_EQ(square, (std::vector<std::uint32_t>{5, 25, 6, 36, 7, 49}));
  }
}

TEST(BatchesOfItems, AreRunWithoutFlushWhenPatienceEnds) {
  const Context gpu = opened_on("reference");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto batches = must(gpu.batches(scale));
  must(batches.push(21.0F));
  EXPECT_EQ(must(batches.pull()), std::vector<float>{42});
}

TEST(BatchesOfItems, AreRunAtOnceWhenTheyFillADispatch) {
  const Context gpu = opened_on("reference");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto batches = must(gpu.batches(scale, {.least = 8, .most = 8, .patience = for_ever}));
  must(batches.push(numbers(20)));
  EXPECT_EQ(must(batches.pull(16)).size(), 16U);
  EXPECT_EQ(batches.stats().dispatches, 2U);
  EXPECT_EQ(batches.due(), 4U);
}

TEST(BatchesOfItems, DoNotWaitForMoreThanThereIsRoomFor) {
  const Context gpu = opened_on("reference");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto batches = must(gpu.batches(scale, {.patience = for_ever, .room = 4}));
  for (const float x : numbers(8)) must(batches.push(x));
  EXPECT_EQ(must(batches.pull(8)), (std::vector<float>{0, 2, 4, 6, 8, 10, 12, 14}));
}

TEST(BatchesOfItems, ThatDoNotFillADispatchArePaddedToTheNextPowerOfTwo) {
  const Context gpu = opened_on("reference");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto batches = must(gpu.batches(scale, {.least = 4, .most = 64, .patience = for_ever}));
  must(batches.push(numbers(3)));
  must(batches.flush());
  EXPECT_EQ(batches.stats().padding, 1U);
  EXPECT_EQ(must(batches.pull(3)), (std::vector<float>{0, 2, 4}));
}

TEST(BatchesOfItems, ArePaddedWithNumbersThatWerePushed) {
  constexpr const char* text = R"(program no_zero {
  uniform n: u32 = 1
  buffer x: u32[n] read
  buffer y: u32[n] write
  grid n
  let i = invocation.x
  if x[i] > 0 { y[i] = 10 / x[i] } else { y[n] = 0 }
})";
  const Context gpu = opened_on("reference");
  const auto kernel = must(gpu.kernel<const std::uint32_t, std::uint32_t>(text));
  const auto batches = must(gpu.batches(kernel));
  must(batches.push(5U));
  EXPECT_EQ(must(batches.pull()), std::vector<std::uint32_t>{2});
}

TEST(BatchesOfItems, GoToACallbackInOrder) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = opened_on(device);
    const auto scale = must(gpu.kernel<const float, float>(scale_text));
    std::vector<float> all;
    const auto batches = must(
        gpu.batches(scale, {.least = 8, .most = 32}, [&](std::size_t items, const auto& results) {
          EXPECT_EQ(must(results).size(), items);
          for (const float y : *results) all.push_back(y);
        }));
    for (int i = 0; i < 100; ++i) must(batches.push(static_cast<float>(i)));
    must(batches.flush());
    ASSERT_EQ(all.size(), 100U);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], 2.0F * static_cast<float>(i));
    EXPECT_EQ(batches.due(), 0U);
    EXPECT_NE(message_of(batches.pull()).find("a callback gets the results of scale"),
              std::string::npos);
  }
}

TEST(BatchesOfItems, MayBePushedByTheirCallbackButNotFlushed) {
  const Context gpu = opened_on("reference");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  Batches<const float, float> batches;
  std::atomic<int> seen = 0;
  std::string flushed;
  batches = must(gpu.batches(scale, {.room = 1}, [&](std::size_t, const auto& results) {
    if (seen++ < 5) must(batches.push(must(results)[0]));
    flushed = message_of(batches.flush());
  }));
  must(batches.push(1.0F));
  while (batches.due() > 0) must(batches.flush());
  EXPECT_EQ(seen, 6);
  EXPECT_EQ(flushed, "flush() in the callback of scale would wait for itself");
}

TEST(BatchesOfItems, GrowWhileADispatchCostsTheSameWhateverItsSize) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = opened_on(device);
    const auto scale = must(gpu.kernel<const float, float>(scale_text));
    TickingClock clock;
    const auto batches = timed(scale, {.least = 4, .most = 64, .patience = for_ever}, clock);
    EXPECT_EQ(batches.stats().size, 4U);
    must(batches.push(numbers(4096)));
    must(batches.flush());
    EXPECT_EQ(batches.stats().size, 64U);
    EXPECT_LT(batches.stats().dispatches, 4096U / 16);
  }
}

TEST(BatchesOfItems, ShrinkWhileItemsWaitForOthersLongerThanTheDeviceWorks) {
  const Context gpu = opened_on("reference");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  TickingClock clock;
  const auto batches = timed(scale, {.least = 4, .most = 64, .patience = for_ever}, clock);
  must(batches.push(numbers(4096)));
  must(batches.flush());
  ASSERT_EQ(batches.stats().size, 64U);
  for (int i = 0; i < 200; ++i) {
    must(batches.push(1.0F));
    clock.advance(std::chrono::milliseconds(1));
    must(batches.flush());
  }
  EXPECT_EQ(batches.stats().size, 4U);
  EXPECT_GE(batches.stats().idle, std::chrono::milliseconds(200));
}

TEST(BatchesOfItems, OfOneSizeDoNotAdapt) {
  const Context gpu = opened_on("reference");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  TickingClock clock;
  const auto batches = timed(scale, {.least = 16, .most = 16, .patience = for_ever}, clock);
  must(batches.push(numbers(1600)));
  must(batches.flush());
  EXPECT_EQ(batches.stats().dispatches, 100U);
}

TEST(BatchesOfItems, CountOperationsByKind) {
  const Context gpu = opened_on("reference");
  const auto both =
      must(gpu.kernel<const float, const std::uint32_t, float, std::uint32_t>(both_text));
  const auto batches = must(gpu.batches(both, {.least = 4, .most = 4, .item = {{3}, {}, {}, {2}}}));
  must(batches.push(numbers(5 * 3), std::vector<std::uint32_t>(5)));
  must(batches.flush());
  const BatchStats stats = batches.stats();
  EXPECT_EQ(stats.items, 5U);
  EXPECT_EQ(stats.padding, 3U);
  EXPECT_EQ(stats.float_ops, 5U * 3);
  EXPECT_EQ(stats.accesses, 5U * (3 + 3 + 3));  // of a, of b, and stores
}

TEST(BatchesOfItems, MayBePushedByFourThreadsAtOnce) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = opened_on(device);
    const auto kernel = must(gpu.kernel<const std::uint32_t, std::uint32_t>(
        "program copy { uniform n: u32 = 1 buffer x: u32[n] read buffer y: u32[n] write grid n\n"
        "y[invocation.x] = x[invocation.x] }"));
    const auto batches = must(gpu.batches(kernel, {.least = 16, .most = 256, .room = 300}));
    constexpr std::uint32_t each = 1000;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::uint32_t i = 0; i < each; ++i) must(batches.push(t * each + i));
      });
    }
    std::vector<std::uint32_t> next(4);
    for (std::uint32_t got = 0; got < 4 * each;) {
      const std::size_t due = batches.due();
      if (due == 0) {
        std::this_thread::yield();
        continue;
      }
      for (const std::uint32_t item : must(batches.pull(due))) {
        EXPECT_EQ(item % each, next[item / each]++) << "of thread " << item / each;
        ++got;
      }
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(next, std::vector<std::uint32_t>(4, each));
    EXPECT_EQ(batches.due(), 0U);
  }
}

TEST(BatchesOfItems, RefuseWhatDoesNotMakeWholeItems) {
  const Context gpu = opened_on("reference");
  const auto both =
      must(gpu.kernel<const float, const std::uint32_t, float, std::uint32_t>(both_text));
  const auto batches = must(gpu.batches(both, {.least = 4, .most = 4, .item = {{3}, {}, {}, {2}}}));
  const std::vector<std::uint32_t> two(2);
  EXPECT_EQ(message_of(batches.push(numbers(4), two)),
            "4 numbers were pushed for 'a' of both; an item has 3");
  EXPECT_EQ(message_of(batches.push(numbers(0), two)),
            "0 numbers were pushed for 'a' of both; an item has 3");
  EXPECT_EQ(message_of(batches.push(numbers(9), two)),
            "2 items were pushed for 'b' of both, but 3 for 'a'");
  EXPECT_EQ(batches.due(), 0U);
  EXPECT_EQ(message_of(batches.flush()), "4 numbers were pushed for 'a' of both; an item has 3");
  must(batches.flush());
  EXPECT_EQ(message_of(batches.pull(2)),
            "2 results of both are to be pulled, but 0 are due: push before you pull");
}

TEST(BatchesOfItems, RefuseKernelsAndOptionsThatDoNotFit) {
  const Context gpu = opened_on("reference");
  const Context other = opened_on("reference");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto in_place = must(gpu.kernel<std::uint32_t>(testing::add_one_text));
  EXPECT_EQ(message_of(other.batches(scale)), "scale is a kernel of another context");
  EXPECT_EQ(message_of(gpu.batches(in_place)),
            "batches of add_one: 'x' is read and written; an item's numbers go in by one array and "
            "come out by another");
  EXPECT_EQ(message_of(gpu.batches(scale, {.least = 33})),
            "batches of scale: least is 33; it must be a power of two");
  EXPECT_EQ(message_of(gpu.batches(scale, {.least = 0})),
            "batches of scale: least is 0; it must be a power of two");
  EXPECT_EQ(message_of(gpu.batches(scale, {.least = 64, .most = 32})),
            "batches of scale: least is 64 and most is 32");
  EXPECT_EQ(message_of(gpu.batches(scale, {.item = {{2}}})),
            "batches of scale: the item has extents for 1 arguments, not for 2");
  EXPECT_NE(message_of(gpu.batches(scale, {.item = {{2}, {3}}})).find("batches of scale: 1024"),
            std::string::npos);
  const Batches<const float, float> none;
  EXPECT_NE(message_of(none.push(1.0F)).find("was never made"), std::string::npos);
  EXPECT_NE(message_of(none.pull()).find("was never made"), std::string::npos);
  EXPECT_NE(message_of(none.flush()).find("was never made"), std::string::npos);
}

TEST(BatchesOfItems, GiveTheErrorOfADispatchToItsItemsOnly) {
  constexpr const char* why = "writes element 5000 of buffer 'y', which has 4";
  const auto log = std::make_shared<testing::Log>();
  auto options = quiet(log);
  options.device = "reference";
  {
    const Context gpu = opened(options);
    const auto picky = must(gpu.kernel<const std::uint32_t, std::uint32_t>(picky_text));
    const auto batches = must(gpu.batches(picky, {.least = 4, .most = 4, .patience = for_ever}));
    must(batches.push(std::vector<std::uint32_t>{1, 2, 3, 4}));
    must(batches.flush());
    must(batches.push(std::vector<std::uint32_t>{5, 6, 5000, 8}));
    EXPECT_NE(message_of(batches.flush()).find(why), std::string::npos);
    EXPECT_FALSE(gpu.finish());
    must(batches.push(std::vector<std::uint32_t>{9, 10, 11, 12}));
    must(batches.flush());
    EXPECT_EQ(must(batches.pull(4)), (std::vector<std::uint32_t>{2, 3, 4, 5}));
    EXPECT_NE(message_of(batches.pull(3)).find(why), std::string::npos);
    EXPECT_NE(message_of(batches.pull(2)).find(why), std::string::npos);
    EXPECT_EQ(must(batches.pull(3)), (std::vector<std::uint32_t>{11, 12, 13}));
  }
  EXPECT_TRUE(log->lines().empty()) << log->lines()[0];
}

TEST(BatchesOfItems, SayAtTheEndWhatNobodyHasSeenOrRun) {
  const auto log = std::make_shared<testing::Log>();
  auto options = quiet(log);
  options.device = "reference";
  {
    const Context gpu = opened(options);
    const auto scale = must(gpu.kernel<const float, float>(scale_text));
    const auto batches = must(gpu.batches(scale, {.patience = for_ever}));
    must(batches.push(numbers(5)));
    EXPECT_FALSE(batches.push(numbers(0)));
  }
  ASSERT_EQ(log->lines().size(), 2U);
  EXPECT_EQ(log->lines()[0],
            "vyre: batches of scale: 5 items were never run: flush() before the end");
  EXPECT_EQ(log->lines()[1],
            "vyre: batches of scale: 0 numbers were pushed for 'x' of scale; an item has 1");
}

TEST(BatchesOfItems, MayOutliveTheirKernelAndContext) {
  Batches<const float, float> batches;
  {
    const Context gpu = opened_on("reference");
    batches = must(gpu.batches(must(gpu.kernel<const float, float>(scale_text))));
  }
  must(batches.push(4.0F));
  EXPECT_EQ(must(batches.pull()), std::vector<float>{8});
}

TEST(BatchesOfItems, TheLastHandleMayEndInTheCallback) {
  const Context gpu = opened_on("reference");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  std::atomic<bool> ended = false;
  auto batches = std::make_shared<Batches<const float, float>>();
  *batches = must(gpu.batches(scale, {}, [&](std::size_t, const auto&) {
    batches.reset();
    ended = true;
  }));
  const Result<void> pushed = batches->push(1.0F);
  EXPECT_TRUE(pushed);
  while (!ended) std::this_thread::yield();
}

}  // namespace
}  // namespace vyre
