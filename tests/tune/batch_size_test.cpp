#include "tune/batch_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace vyre::tune {
namespace {

using std::chrono::nanoseconds;
using Cost = std::function<double(std::uint32_t size)>;  // microseconds of a dispatch

nanoseconds us(double time) { return nanoseconds(static_cast<std::int64_t>(time * 1e3)); }

// A queue on a device that takes `cost`, where `rate` items come in a microsecond: what has come
// while a batch ran waits for the next one, which waits until it is full.
class Queue {
 public:
  Queue(BatchSize& size, Cost cost) : size_(size), cost_(std::move(cost)) {}

  // From an empty queue on.
  void run(int dispatches, double rate) {
    waiting_ = 0;
    for (int i = 0; i < dispatches; ++i) {
      const std::uint32_t items = size_.now();
      const double idle = std::max(0.0, (items - waiting_) / rate);
      waiting_ = std::max(0.0, waiting_ + idle * rate - items);
      const double busy = cost_(items);
      waiting_ += busy * rate;
      size_.add({items, items, us(busy), us(idle)});
    }
  }

 private:
  BatchSize& size_;
  Cost cost_;
  double waiting_ = 0;
};

TEST(BatchSize, GrowsWhileTheOverheadOfADispatchWeighs) {
  BatchSize size(32, 1024, 1);
  Queue(size, [](std::uint32_t s) { return 25 + 0.02 * s; }).run(200, 1e6);
  EXPECT_EQ(size.now(), 1024U);
}

TEST(BatchSize, StopsGrowingWhereItGainsLittle) {
  BatchSize size(32, 1U << 20U, 1);
  Queue(size, [](std::uint32_t s) { return 25 + 0.1 * s; }).run(400, 1e6);
  EXPECT_GE(size.now(), 512U);   // 25 of 76 are overhead
  EXPECT_LE(size.now(), 2048U);  // 25 of 230
}

TEST(BatchSize, IsSmallWhereItemsComeSlowly) {
  BatchSize size(32, 1024, 1);
  const Cost cost = [](std::uint32_t s) { return 25 + 0.02 * s; };
  Queue queue(size, cost);
  queue.run(200, 1e6);
  ASSERT_EQ(size.now(), 1024U);
  queue.run(400, 1.0);
  EXPECT_LE(size.now(), 64U) << "a batch of 1024 waits 1 ms for what takes 45 us";
}

TEST(BatchSize, FollowsALoadThatComesAndGoes) {
  BatchSize size(32, 1024, 1);
  Queue queue(size, [](std::uint32_t s) { return 25 + 0.02 * s; });
  for (int round = 0; round < 10; ++round) {
    queue.run(400, 1e6);
    EXPECT_EQ(size.now(), 1024U) << round;
    queue.run(400, 1.0);
    EXPECT_LE(size.now(), 64U) << round;
  }
}

TEST(BatchSize, LeavesASizeThatCostsMoreForEachItem) {
  BatchSize size(32, 1024, 1);
  Queue queue(size, [](std::uint32_t s) { return s <= 128 ? 25 + 0.1 * s : 1.0 * s; });
  int large = 0;
  for (int i = 0; i < 400; ++i) {
    queue.run(1, 1e6);
    large += size.now() > 128 ? 1 : 0;
  }
  EXPECT_LT(large, 150);
}

TEST(BatchSize, DoesNotGrowForBatchesThatDoNotFillIt) {
  BatchSize size(32, 1024, 1);
  for (int i = 0; i < 100; ++i) size.add({20, 32, us(25), us(0)});
  EXPECT_EQ(size.now(), 32U);
}

TEST(BatchSize, WhatWasCompiledOnTheWayDoesNotCount) {
  BatchSize size(32, 64, 1);
  bool seen[2] = {};
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t s = size.now();
    EXPECT_TRUE(s == 64 || !seen[1]) << "it left 64 in run " << i;
    const bool first = !std::exchange(seen[s == 64 ? 1 : 0], true);
    size.add({s, s, us(first && s == 64 ? 1e6 : 25), us(0)});
  }
  EXPECT_TRUE(seen[1]);
}

TEST(BatchSize, OperationsPerItemChangeNothingForOneKernel) {
  BatchSize one(32, 4096, 1);
  BatchSize many(32, 4096, 5000);
  const Cost cost = [](std::uint32_t s) { return 25 + 0.05 * s; };
  Queue(one, cost).run(300, 1e6);
  Queue(many, cost).run(300, 1e6);
  EXPECT_EQ(one.now(), many.now());
}

TEST(BatchSize, CapacitiesArePowersOfTwoWithinTheLimits) {
  const BatchSize size(32, 1024, 1);
  EXPECT_EQ(size.capacity_for(1), 32U);
  EXPECT_EQ(size.capacity_for(33), 64U);
  EXPECT_EQ(size.capacity_for(64), 64U);
  EXPECT_EQ(size.capacity_for(1000), 1024U);
}

TEST(BatchSize, AClockThatStandsStillIsNoTrouble) {
  BatchSize size(32, 1024, 0);
  for (int i = 0; i < 500; ++i) size.add({size.now(), size.now(), {}, {}});
  EXPECT_GE(size.now(), 32U);
  EXPECT_LE(size.now(), 1024U);
}

}  // namespace
}  // namespace vyre::tune
