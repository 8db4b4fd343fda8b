#include "vyre/device/queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/device.h"

namespace vyre::device {
namespace {

using testing::opened;
using testing::row;

constexpr const char* one_more = R"(
__kernel void one_more(__global uint* x) { x[get_global_id(0)] = x[get_global_id(0)] + 1; }
)";

class OpenclQueue : public ::testing::Test {
 protected:
  OpenclQueue() : device_(opened("opencl")), module_(device_->compile(one_more).value()) {}

  std::unique_ptr<Queue> queue(bool timed) { return device_->make_queue({.timed = timed}).value(); }

  // A number on the device that a kernel makes one more.
  struct Counter {
    std::unique_ptr<Kernel> kernel;
    std::unique_ptr<Buffer> buffer;
  };
  Counter counter() {
    const std::vector<std::uint32_t> zeros(64);
    return {module_->kernel("one_more").value(),
            device_->allocate_with(std::as_bytes(std::span(zeros))).value()};
  }
  static Result<Event> count(Queue& queue, Counter& counter) {
    const std::vector<Argument> arguments = {counter.buffer.get()};
    return queue.launch(*counter.kernel, arguments, row(64, 64));
  }
  static std::uint32_t value(Queue& queue, const Counter& counter) {
    std::uint32_t value = 0;
    EXPECT_TRUE(queue.read(std::as_writable_bytes(std::span(&value, 1)),
                           {counter.buffer.get(), 0, sizeof value}));
    return value;
  }

  // Where the device has no clock, a queue says so and goes on as it is.
  bool has_clock() {
    const auto timed = queue(false)->set_timed(true);
    if (!timed) {
      EXPECT_NE(timed.error().message.find("no clock"), std::string::npos) << timed.error().message;
    }
    return timed.has_value();
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Module> module_;
};

TEST_F(OpenclQueue, KnowsTimesOfWhatIsEnqueuedWhileItIsTimed) {
  if (!has_clock()) GTEST_SKIP() << "the device has no clock";
  const auto changing = queue(false);
  Counter x = counter();
  const auto before = count(*changing, x);
  ASSERT_TRUE(changing->set_timed(true));
  const auto during = count(*changing, x);
  ASSERT_TRUE(changing->set_timed(false));
  const auto after = count(*changing, x);
  EXPECT_FALSE(before->elapsed_ns());
  ASSERT_TRUE(during->elapsed_ns()) << during->elapsed_ns().error().message;
  EXPECT_GT(*during->elapsed_ns(), 0U);
  EXPECT_FALSE(after->elapsed_ns());
  EXPECT_EQ(value(*changing, x), 3U);
}

TEST_F(OpenclQueue, StaysTimedIfItWasMadeSo) {
  if (!has_clock()) GTEST_SKIP() << "the device has no clock";
  const auto timed = queue(true);
  ASSERT_TRUE(timed->set_timed(false));
  Counter x = counter();
  const auto event = count(*timed, x);
  EXPECT_TRUE(event->elapsed_ns());
}

TEST_F(OpenclQueue, KeepsItsOrderOverChanges) {
  const bool clock = has_clock();
  const auto changing = queue(false);
  Counter x = counter();
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(changing->set_timed(i % 3 == 0).has_value(), clock || i % 3 != 0);
    ASSERT_TRUE(count(*changing, x));
  }
  EXPECT_EQ(value(*changing, x), 500U);
}

// Each thread's number would be short of some if a launch overtook the one before it.
TEST_F(OpenclQueue, KeepsTheOrderOfEachThreadWhileAnotherChangesIt) {
  constexpr int launches = 1000;
  const bool clock = has_clock();
  const auto changing = queue(false);
  std::vector<Counter> counters;
  for (int i = 0; i < 3; ++i) counters.push_back(counter());
  std::atomic<int> running = 3;
  std::vector<std::thread> threads;
  for (Counter& one : counters) {
    threads.emplace_back([&] {
      for (int i = 0; i < launches; ++i) EXPECT_TRUE(count(*changing, one));
      --running;
    });
  }
  for (bool timed = true; running > 0; timed = !timed) {
    EXPECT_EQ(changing->set_timed(timed).has_value(), clock || !timed);
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  for (const Counter& one : counters) EXPECT_EQ(value(*changing, one), launches);
}

TEST(ReferenceQueue, KnowsTimesOfWhatIsEnqueuedWhileItIsTimed) {
  const auto device = opened("reference");
  const auto changing = device->make_queue({}).value();
  const auto buffer = device->allocate(4).value();
  const std::byte zero{};
  const auto fill = [&] { return changing->fill({buffer.get(), 0, 4}, std::span(&zero, 1)); };
  EXPECT_FALSE(fill()->elapsed_ns());
  ASSERT_TRUE(changing->set_timed(true));
  EXPECT_TRUE(fill()->elapsed_ns());
  ASSERT_TRUE(changing->set_timed(false));
  EXPECT_FALSE(fill()->elapsed_ns());
}

}  // namespace
}  // namespace vyre::device
