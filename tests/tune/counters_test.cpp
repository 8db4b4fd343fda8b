#include "vyre/tune/counters.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

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
  const Counts counts = counters.read();
  EXPECT_EQ(counts[Count::dispatches], 40'000U);
  EXPECT_EQ(counts[Count::timeouts], 3U);
  EXPECT_EQ(to_string(counts), "dispatches: 40000\ntimeouts: 3\n");
}

TEST(Counters, EveryCountHasAName) {
  for (std::size_t i = 0; i < count_kinds; ++i) EXPECT_NE(name_of(static_cast<Count>(i)), "");
}

}  // namespace
}  // namespace vyre::tune
