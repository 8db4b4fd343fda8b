// What is shown of a run, without a run.
#include "cli/tune_progress.h"

#include <gtest/gtest.h>

#include "support/programs.h"

namespace vyre::cli {
namespace {

using namespace std::chrono_literals;
using testing::parsed;

constexpr std::string_view doubled = R"(program doubled {
  buffer y: f32[4096] read_write
  grid 4096
  y[invocation.x] = y[invocation.x] * 2.0
})";

tune::Family family() { return *tune::family_of(parsed(doubled), {}, {.max_workgroup = 256}); }

tune::Attempt attempt(space::Index index, double ns) {
  return {.index = index,
          .outcome = {.measured =
                          measure::Measurement{
                              .samples = {}, .estimate_ns = ns, .interval = {0.9 * ns, 1.1 * ns}}},
          .at = 2s};
}

// After two of ten attempts in two of thirty seconds.
class ProgressText : public ::testing::Test {
 protected:
  tune::Progress progress(const tune::Attempt& latest, const tune::Attempt* best) const {
    return {.evaluated = 2,
            .evaluations = 10,
            .verdicts = {1, 1},
            .elapsed = 2s,
            .left = 28s,
            .baseline = &baseline,
            .best = best,
            .latest = &latest};
  }

  const tune::Family all = family();
  const tune::Attempt baseline = attempt(all.baseline, 2e6);
};

TEST_F(ProgressText, OfANewBestHasWhatItGainsAndTheTimeLeft) {
  const auto better = attempt(all.baseline == 0 ? 1 : 0, 1e6);
  EXPECT_EQ(event_text(all, progress(better, &better)),
            "doubled: 2/10 " + tune::changed_text(all, better.index) +
                ": best 1.000 ms, 2.00 (1.64 .. 2.44) times the default; 8 s left\n");
  EXPECT_EQ(event_text(all, progress(better, &baseline)), "");
}

TEST_F(ProgressText, OfAFailureHasItsKindAndTheFirstLineOfItsReason) {
  tune::Attempt bad = attempt(all.baseline == 0 ? 1 : 0, 1);
  bad.outcome = {.verdict = Verdict::timeout, .reason = "too long\nmore"};
  EXPECT_EQ(event_text(all, progress(bad, &baseline)),
            "doubled: 2/10 " + tune::changed_text(all, bad.index) + " failed, timeout: too long\n");
}

TEST_F(ProgressText, OnATerminalHasFirstWhatMattersMost) {
  EXPECT_EQ(status_line("doubled", progress(baseline, &baseline)),
            "doubled 2/10, 8 s left, failed: 1 compile, best 2.000 ms, 1.00 (0.82 .. 1.22) times "
            "the default");
  tune::Progress last = progress(baseline, nullptr);
  last.last = true;
  last.verdicts = {};
  EXPECT_EQ(status_line("doubled", last), "doubled 2/10, race against the default");
}

TEST_F(ProgressText, TheTimeLeftIsAlsoThatOfTheBudget) {
  tune::Progress hurried = progress(baseline, &baseline);
  hurried.left = 3s;
  EXPECT_NE(status_line("doubled", hurried).find(", 3 s left,"), std::string::npos);
}

}  // namespace
}  // namespace vyre::cli
