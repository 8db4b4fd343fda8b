#include "trial/evaluate.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "trial/faulty_kernels.h"

namespace vyre::trial {
namespace {

using namespace std::chrono_literals;
using testing::tripled;
using testing::worker_session;

// A millisecond passes whenever it is looked at, so a step that does not look takes one.
class TickingClock final : public Clock {
 public:
  [[nodiscard]] std::chrono::nanoseconds now() override { return now_ += 1ms; }

 private:
  std::chrono::nanoseconds now_{0};
};

Costs costs_of(std::string_view body) {
  auto session = worker_session();
  TickingClock clock;
  const auto evaluated =
      evaluate(session, tripled("k", body), {.repeat = {.target = 10, .min_samples = 5}}, clock);
  if (!evaluated) throw std::runtime_error(evaluated.error().message);
  return evaluated->outcome().costs;
}

TEST(Evaluate, SaysWhatEachStepCostByTheClock) {
  const Costs costs = costs_of(testing::correct_body);
  EXPECT_EQ(costs.build, 1ms);
  EXPECT_EQ(costs.verify, 1ms);
  EXPECT_GT(costs.measure, 1ms) << "it looks at the clock itself";
  EXPECT_EQ(costs.total(), 2ms + costs.measure);
}

TEST(Evaluate, StepsThatAreNotReachedCostNothing) {
  EXPECT_EQ(costs_of("out[i] = nothing;"), (Costs{.build = 1ms}));
  EXPECT_EQ(costs_of("out[i] = in[i];"), (Costs{.build = 1ms, .verify = 1ms}));
}

}  // namespace
}  // namespace vyre::trial
