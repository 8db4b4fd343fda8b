#include "tune/live_loss.h"

#include <gtest/gtest.h>

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;

TEST(LiveLosses, AreWhatLaunchesDidLessThanAtRest) {
  LiveLoss loss;
  loss.rested(1s, 800ms);
  loss.worked(500ms, 400ms);
  EXPECT_EQ(loss.lost(), 0ms);
  loss.worked(500ms, 100ms);
  EXPECT_EQ(loss.lost(), 300ms);
  loss.worked(100ms, 0ms);
  EXPECT_EQ(loss.lost(), 380ms);
}

// A program that calls more often meanwhile has lost nothing, and does not pay for what it lost.
TEST(LiveLosses, AreNotPaidBackByAProgramThatDoesMore) {
  LiveLoss loss;
  loss.rested(1s, 500ms);
  loss.worked(1s, 200ms);
  loss.worked(1s, 900ms);
  EXPECT_EQ(loss.lost(), 300ms);
}

TEST(LiveLosses, AreNeverMoreThanTheTime) {
  LiveLoss loss;
  loss.rested(1s, 3s);
  loss.worked(1s, 0s);
  EXPECT_EQ(loss.lost(), 1s);
}

TEST(LiveLosses, AreComparedWithWhatTheProgramDidLately) {
  LiveLoss loss;
  loss.rested(100s, 100s);
  for (int i = 0; i < 100; ++i) loss.rested(100ms, 10ms);
  loss.worked(1s, 0s);
  EXPECT_NEAR(std::chrono::duration<double>(loss.lost()).count(), 0.1, 0.02);
}

TEST(LiveLosses, AreUnknownBeforeItWasEverAtRest) {
  LiveLoss loss;
  loss.worked(1s, 0s);
  EXPECT_EQ(loss.lost(), 0s);
}

}  // namespace
}  // namespace vyre::tune
