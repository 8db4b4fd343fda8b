#include "tune/change_detector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "search/random.h"

namespace vyre::tune {
namespace {

// 5 % log-normal noise; one launch in a hundred takes 3 to 10 times as long.
class Launches {
 public:
  explicit Launches(std::uint64_t seed) : random_(seed) {}
  double next(double factor = 1) {
    const double normal =
        std::sqrt(-2 * std::log(random_.unit())) * std::cos(6.283185307 * random_.unit());
    const double held_up = random_.below(100) == 0 ? 3 + 7 * random_.unit() : 1;
    return 2e5 * factor * held_up * std::exp(0.05 * normal);
  }

 private:
  search::Random random_;
};

// How many samples it takes to find it; the detector has seen 1,000 of before.
std::optional<std::size_t> found_after(double factor, std::uint64_t seed) {
  Launches launches(seed);
  ChangeDetector detector;
  for (int i = 0; i < 1'000; ++i) {
    if (detector.tell(launches.next())) return {};
  }
  for (std::size_t i = 1; i <= 1'000; ++i) {
    if (detector.tell(launches.next(factor))) return i;
  }
  return {};
}

TEST(ChangeDetector, FindsAChangeOf15PerCentThatStaysWithin100Samples) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    for (const double factor : {1.15, 1 / 1.15, 1.5, 0.5, 10.0}) {
      const auto found = found_after(factor, seed);
      ASSERT_TRUE(found) << factor << ", seed " << seed;
      EXPECT_LE(*found, 100U) << factor << ", seed " << seed;
      EXPECT_GT(*found, 10U) << factor << ", seed " << seed;
    }
  }
}

TEST(ChangeDetector, SeesNoChangeInAMillionSamplesOfNoise) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Launches launches(seed);
    ChangeDetector detector;
    for (int i = 0; i < 100'000; ++i) ASSERT_FALSE(detector.tell(launches.next())) << seed;
  }
}

TEST(ChangeDetector, ABurstOfTenSlowLaunchesIsNoChange) {
  Launches launches(1);
  ChangeDetector detector;
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_FALSE(detector.tell(launches.next(i % 200 < 10 && i > 100 ? 8 : 1))) << i;
  }
}

TEST(ChangeDetector, DriftOfAFewPerCentIsNoChange) {
  Launches launches(1);
  ChangeDetector detector;
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_FALSE(detector.tell(launches.next(1 + 0.04 * std::sin(i / 3'000.0)))) << i;
  }
}

TEST(ChangeDetector, LaunchesThatWereOftenSlowFromTheStartAreNoChange) {
  Launches launches(1);
  ChangeDetector detector;
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_FALSE(detector.tell(launches.next(i % 3 == 0 ? 1.6 : 1))) << i;
  }
}

TEST(ChangeDetector, StaysChangedUntilItIsReset) {
  ChangeDetector detector;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(detector.tell(100));
  for (int i = 0; i < 100; ++i) detector.tell(200);
  EXPECT_TRUE(detector.changed());
  EXPECT_TRUE(detector.tell(100));
  detector.reset();
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(detector.tell(200)) << "the new level";
}

TEST(ChangeDetector, IgnoresWhatIsNoTime) {
  ChangeDetector detector;
  for (int i = 0; i < 1'000; ++i) {
    for (const double ns : {0.0, -5.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
      EXPECT_FALSE(detector.tell(ns));
    }
    EXPECT_FALSE(detector.tell(100));
  }
}

}  // namespace
}  // namespace vyre::tune
