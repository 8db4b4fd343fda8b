#include <gtest/gtest.h>

#include <thread>

#include "front/opened.h"

namespace vyre {
namespace {

using testing::add_one_text;
using testing::must;
using testing::opened;
using testing::scale_text;

TEST(Steps, RunTheirCallsInOrderAsOftenAsAsked) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = testing::opened_on(device);
    const auto scale = must(gpu.kernel<const float, float>(scale_text));
    const auto u = gpu.array(std::vector<float>(32, 1));
    const auto v = gpu.array<float>(32);
    const Step step = gpu.record([&] {
      scale(u, v);
      gpu.copy(v, u);
    });
    EXPECT_EQ(step.calls(), 2U);
    EXPECT_EQ(must(u.to_host())[0], 1.0F);  // nothing ran yet
    EXPECT_TRUE(step.run(10).wait());
    EXPECT_EQ(must(u.to_host())[31], 1024.0F);
    step.run();
    EXPECT_EQ(must(v.to_host())[31], 2048.0F);
    EXPECT_NE(gpu.stats().find("dispatches: 11\n"), std::string::npos) << gpu.stats();
    EXPECT_TRUE(gpu.finish());
  }
}

TEST(Steps, KeepTheUniformsAndArraysOfTheirRecording) {
  const Context gpu = opened();
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  auto v = gpu.array<float>(4);
  const Step step = gpu.record([&] { scale(gpu.array(std::vector<float>(4, 1)), v); });
  EXPECT_TRUE(scale.set("factor", 5));
  step.run();
  EXPECT_EQ(must(v.to_host())[0], 2.0F);
}

TEST(Steps, WithARefusedCallRunNothing) {
  const Context gpu = opened();
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto add_one = must(gpu.kernel<std::uint32_t>(add_one_text));
  const auto count = gpu.array<std::uint32_t>(4);
  const auto u = gpu.array<float>(4);
  const auto v = gpu.array<float>(5);
  const Step step = gpu.record([&] {
    add_one(count);
    EXPECT_FALSE(scale(u, v).wait());
  });
  ASSERT_FALSE(step.check());
  EXPECT_EQ(step.run(3).wait().error(), step.check().error());
  EXPECT_EQ(count.to_host().error(), step.check().error());
  EXPECT_FALSE(gpu.finish());
}

TEST(Steps, CannotRecordWhatWaits) {
  const Context gpu = opened();
  const auto x = gpu.array<float>(4);
  const Step step = gpu.record([&] {
    EXPECT_FALSE(x.to_host());
    EXPECT_FALSE(x.map());
    EXPECT_FALSE(gpu.finish());
    EXPECT_FALSE(x.fill(1).wait());  // recorded, so it did not run
  });
  EXPECT_EQ(step.calls(), 1U);
  step.run();
  EXPECT_EQ(must(x.to_host())[3], 1.0F);
  EXPECT_TRUE(Step().run().wait());
  EXPECT_FALSE(Context().record([] {}).run().wait());
}

TEST(Steps, OfOtherThreadsAreNotRecorded) {
  const Context gpu = opened();
  const auto x = gpu.array<float>(4);
  const Step step = gpu.record([&] { std::thread([&] { EXPECT_TRUE(x.fill(3).wait()); }).join(); });
  EXPECT_EQ(step.calls(), 0U);
  EXPECT_EQ(must(x.to_host())[0], 3.0F);
}

TEST(Steps, AreRunByManyThreads) {
  const Context gpu = opened();
  const auto add_one = must(gpu.kernel<std::uint32_t>(add_one_text));
  const auto x = gpu.array<std::uint32_t>(16);
  const Step step = gpu.record([&] { add_one(x); });
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back([&] { step.run(50); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(must(x.to_host())[15], 400U);
}

}  // namespace
}  // namespace vyre
