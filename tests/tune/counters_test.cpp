#include "vyre/tune/counters.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tune/policy.h"

namespace vyre::tune {
namespace {

TEST(Counters, ManyThreadsLoseNoCount) {
  Counters counters;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 10'000; ++i) counters.add(Count::dispatches);
      });
    }
  }
  counters.add(Count::timeouts, 3);
  Counts counts = counters.read();
  EXPECT_EQ(counts[Count::dispatches], 40'000U);
  EXPECT_EQ(counts[Count::timeouts], 3U);
  counts.primitives = {{"gemm", 2}};  // what other tests called is not known here
  EXPECT_EQ(to_string(counts), "dispatches: 40000\ntimeouts: 3\ncalls of gemm: 2\n");
}

TEST(Counters, KnowHowOftenAPrimitiveWasCalled) {
  const auto calls = [] {
    for (const auto& [program, count] : Counters().read().primitives) {
      if (program == "softmax") return count;
    }
    return std::uint64_t{0};
  };
  const auto device = device::open("reference");
  ASSERT_TRUE(device);
  const std::uint64_t before = calls();
  const std::vector<Timed> measured = {{{64, 1, 1}, 12'000}, {{128, 1, 1}, 8'000}};
  ASSERT_TRUE(policy_step(**device, measured, 4'000, identity_matrix(2)));
  EXPECT_EQ(calls(), before + 1);
}

TEST(Counters, EveryCountHasAName) {
  for (std::size_t i = 0; i < count_kinds; ++i) EXPECT_NE(name_of(static_cast<Count>(i)), "");
}

}  // namespace
}  // namespace vyre::tune
