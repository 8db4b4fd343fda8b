#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "primitives/softmax_program.h"
#include "primitives/suite.h"
#include "support/allocations.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

using Times = std::vector<std::uint64_t>;
using Weights = std::vector<std::int32_t>;

constexpr std::uint64_t latest = std::numeric_limits<std::uint64_t>::max();

Times random_times(std::size_t count, std::mt19937_64& random) {
  const std::uint64_t base = random() >> random() % 64;
  const std::uint64_t spread = random() >> random() % 64;
  Times times(count);
  for (std::uint64_t& time : times) {
    const std::uint64_t by = spread == latest ? random() : random() % (spread + 1);
    time = by > latest - base ? latest : base + by;
  }
  return times;
}

std::int64_t mass(const Weights& weights) {
  return std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
}

}  // namespace

// The reference does not round down, and what is left over is up to one unit for each candidate.
std::vector<Case> softmax_cases() {
  const SoftmaxOptions options{.n = 100, .temperature = 4000};
  std::mt19937_64 random(1);
  Times times(100);
  for (std::uint64_t& time : times) time = 5'000'000'000 + random() % 20'000;
  Case one{.name = "softmax",
           .programs = {good(softmax_program(options))},
           .run = [=](device::Device& device) -> Result<std::vector<double>> {
             auto softmax = Softmax::make(device, options);
             if (!softmax) return Unexpected(softmax.error());
             Weights weights(times.size());
             if (auto done = (*softmax)(times, weights); !done) {
               return Unexpected(done.error());
             }
             return doubles(weights);
           },
           .expected = std::vector<double>(100)};
  softmax_reference(times, options.temperature, one.expected);
  one.tolerance = 100 / *std::ranges::max_element(one.expected);
  return {one};
}

namespace {

TEST(Softmax, OfTimesATemperatureApartFallsByAFactorOfE) {
  const auto device = testing::opened("opencl");
  auto softmax = good(Softmax::make(*device, {.n = 3, .temperature = 4000}));
  Weights weights(3);
  good(softmax(Times{12000, 8000, 10000}, weights));
  // 65536 (e^-1, 1, e^-1/2) / (e^-1 + 1 + e^-1/2) = 12210.9, 33192.7, 20132.4; 2 are left over.
  EXPECT_EQ(weights, (Weights{12210, 33194, 20132}));
}

TEST(Softmax, GivesWhatIsLeftOverToTheFirstOfTheFastest) {
  const auto device = testing::opened("opencl");
  auto softmax = good(Softmax::make(*device, {.n = 3, .temperature = 4000}));
  Weights weights(3);
  good(softmax(Times{7, 7, 7}, weights));
  EXPECT_EQ(weights, (Weights{21846, 21845, 21845}));
  good(softmax(Times{latest, 0, 0}, weights));
  EXPECT_EQ(weights, (Weights{0, 32768, 32768}));
}

TEST(Softmax, HoldsAtTheEndsOfTheRangeOfTimes) {
  const auto device = testing::opened("opencl");
  auto softmax = good(Softmax::make(*device, {.n = 3, .temperature = 4000}));
  Weights weights(3);
  Weights shifted(3);
  good(softmax(Times{0, 4000, 8000}, weights));
  good(softmax(Times{latest - 8000, latest - 4000, latest}, shifted));
  EXPECT_EQ(weights, shifted);
  good(softmax(Times{0xFFFFFFFF, 0x100000F9F, 0x100001F3F}, shifted));
  EXPECT_EQ(weights, shifted) << "across the halves of a time";

  auto hot = good(Softmax::make(*device, {.n = 3, .temperature = latest}));
  good(hot(Times{0, 0, latest}, weights));
  EXPECT_EQ(mass(weights), 65536);
  EXPECT_NEAR(weights[2], 65536 / (1 + 2 * std::exp(1.0)), 1);
}

TEST(Softmax, HasAMassOfExactlyOneForTimesOfAllSizesAndTheSameBitsOnEveryDevice) {
  const auto device = testing::opened("opencl");
  const auto reference = testing::opened("reference");
  for (const std::uint64_t temperature : {1ULL, 10'000ULL, 1ULL << 40U}) {
    const SoftmaxOptions options{.n = 70, .temperature = temperature};
    auto softmax = good(Softmax::make(*device, options));
    auto defined = good(Softmax::make(*reference, options));
    std::mt19937_64 random(temperature);
    for (int round = 0; round < 60; ++round) {
      const Times times = random_times(70, random);
      Weights weights(70);
      Weights expected(70);
      good(softmax(times, weights));
      good(defined(times, expected));
      ASSERT_EQ(mass(weights), 65536) << "round " << round << " at " << temperature;
      ASSERT_EQ(weights, expected) << "round " << round << " at " << temperature;
      const auto best = std::ranges::min_element(times) - times.begin();
      ASSERT_EQ(*std::ranges::max_element(weights), weights[static_cast<std::size_t>(best)]);
      std::vector<double> exact(70);
      softmax_reference(times, temperature, exact);
      for (std::size_t i = 0; i < 70; ++i) {
        if (i == static_cast<std::size_t>(best)) continue;  // it has what is left over
        ASSERT_NEAR(weights[i], exact[i] - 0.5, 0.6) << "round " << round << " weight " << i;
      }
    }
  }
}

TEST(Softmax, OfOneTimeIsOne) {
  const auto device = testing::opened("opencl");
  auto softmax = good(Softmax::make(*device, {.n = 1}));
  Weights weights(1);
  good(softmax(Times{latest}, weights));
  EXPECT_EQ(weights, Weights{65536});
}

TEST(Softmax, RefusesBadInputByNameAndNumber) {
  EXPECT_EQ(message_of(softmax_program({.n = 0})), "softmax: n is 0; it must be at least 1");
  EXPECT_EQ(message_of(softmax_program({.n = 1U << 31U})),
            "softmax: n * 2 = 2147483648 * 2 elements is over 4294967295");
  EXPECT_EQ(message_of(softmax_program({.n = 3, .temperature = 0})),
            "softmax: temperature is 0; it must be at least 1");
  const auto device = testing::opened("reference");
  auto softmax = good(Softmax::make(*device, {.n = 2}));
  Weights weights(2);
  EXPECT_EQ(message_of(softmax(Times{1}, weights)),
            "softmax: times has 1 elements; it must have 2");
  weights.resize(3);
  EXPECT_EQ(message_of(softmax(Times{1, 2}, weights)),
            "softmax: weights has 3 elements; it must have 2");
}

TEST(Softmax, AllocatesNothingOnceItIsMade) {
  testing::CountingDevice device(testing::opened("opencl"));
  auto softmax = good(Softmax::make(device, {.n = 3, .temperature = 4000}));
  const Times times = {1, 2, 3};
  Weights weights(3);
  EXPECT_EQ(testing::steady_allocations(device, [&] { good(softmax(times, weights)); }), 0U);
}

}  // namespace
}  // namespace vyre::primitives
