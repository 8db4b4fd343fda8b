// Kernels of several stages: called, recorded, in batches, and made of long sums by live tuning.
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

#include "front/opened.h"

namespace vyre {
namespace {

using testing::must;
using testing::opened_on;

constexpr const char* staged_text = R"(program shifted {
  uniform n: u32 = 1
  buffer x: f32[n] read
  buffer y: f32[n] write
  scratch kept: f32[n]
  grid n
  kept[n - 1 - invocation.x] = 2.0 * x[invocation.x]
  then grid n { y[invocation.x] = kept[n - 1 - invocation.x] + 1.0 }
})";

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

TEST(StagedKernels, AreCalledAsAnyOther) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = opened_on(device);
    const auto shifted = must(gpu.kernel<const float, float>(staged_text));
    for (const std::size_t n : {1U, 7U, 1000U, 7U}) {
      const auto x = gpu.array(counted(n));
      const auto y = gpu.array<float>(n);
      ASSERT_TRUE(shifted(x, y).wait());
      EXPECT_EQ(must(y.to_host())[n - 1], 2.0F * static_cast<float>(n - 1) + 1) << device;
    }
    EXPECT_TRUE(gpu.finish());
  }
}

TEST(StagedKernels, AreRecorded) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = opened_on(device);
    const auto shifted = must(gpu.kernel<const float, float>(staged_text));
    const auto u = gpu.array(std::vector<float>(64, 0));
    const auto v = gpu.array<float>(64);
    const Step step = gpu.record([&] {
      shifted(u, v);
      shifted(v, u);
    });
    ASSERT_TRUE(step.run(5).wait());
    EXPECT_EQ(must(u.to_host())[63], 1023.0F) << device;
  }
}

TEST(StagedKernels, RunInBatches) {
  const Context gpu = opened_on("opencl");
  const auto shifted = must(gpu.kernel<const float, float>(staged_text));
  const auto batches = must(gpu.batches(shifted, {.least = 8, .most = 32}));
  must(batches.push(counted(100)));
  const auto results = must(batches.pull(100));
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i], 2.0F * static_cast<float>(i) + 1);
  }
}

TEST(StagedKernels, ComeFromTheSearchForAFirstCallOfALongSum) {
  const testing::TemporaryDirectory directory;
  const Context gpu = testing::opened(testing::searching(directory.path()));
  const auto sum = must(gpu.kernel<const std::uint32_t, std::uint32_t>(R"(program sum {
    uniform n: u32 = 1
    buffer x: u32[n] read
    buffer out: u32[1] write
    grid 1
    var s = 0
    for i in 0 .. n { s += x[i] }
    out[0] = s
  })"));
  const auto x = gpu.array(std::vector<std::uint32_t>(1U << 22U, 3));
  const auto out = gpu.array<std::uint32_t>(1);
  sum(x, out);
  EXPECT_EQ(must(out.to_host())[0], 3U << 22U);
  EXPECT_TRUE(sum.tuned()) << sum.why();
  sum(x, out);
  EXPECT_EQ(must(out.to_host())[0], 3U << 22U);
}

TEST(StagedKernels, TakeTurnsInLiveTuning) {
  auto options = testing::quiet();
  options.mode = tune::Mode::live;
  options.live = {.share = 1, .evaluations = 4};
  const Context gpu = testing::opened(options);
  const auto norm = must(gpu.kernel<const float, float>(R"(program norm {
    uniform n: u32 = 1
    buffer x: f32[n] read
    buffer out: f32[1] write
    grid 1
    reassociate
    var s = 0.0
    for i in 0 .. n { s += x[i] * x[i] }
    out[0] = sqrt(s)
  })"));
  const auto x = gpu.array(std::vector<float>(1U << 20U, 0.5F));
  const auto out = gpu.array<float>(1);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (std::chrono::steady_clock::now() < deadline) {
    for (int i = 0; i < 20; ++i) norm(x, out);
    ASSERT_EQ(must(out.to_host())[0], 512.0F) << "whichever ran";
    if (norm.live().searched && norm.live().settled) break;
  }
  EXPECT_TRUE(norm.live().settled) << norm.why();
  EXPECT_GE(norm.live().tried, 2U);
}

}  // namespace
}  // namespace vyre
