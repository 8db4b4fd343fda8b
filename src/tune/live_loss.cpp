#include "tune/live_loss.h"

#include <algorithm>

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;

// What was longer ago than about this says little of what the program does now.
constexpr std::chrono::duration<double> lately = 2s;

}  // namespace

void LiveLoss::rested(std::chrono::nanoseconds time, std::chrono::nanoseconds work) {
  rest_time_ += time;
  rest_work_ += work;
  if (rest_time_ <= lately) return;
  const double kept = lately / rest_time_;
  rest_time_ *= kept;
  rest_work_ *= kept;
}

void LiveLoss::worked(std::chrono::nanoseconds time, std::chrono::nanoseconds work) {
  if (rest_time_ <= 0s) return;
  const Seconds expected = Seconds(time) * (rest_work_ / rest_time_);
  const Seconds lost = std::clamp<Seconds>(expected - work, 0s, time);
  lost_ += std::chrono::duration_cast<std::chrono::nanoseconds>(lost);
}

}  // namespace vyre::tune
