// Several workers on a real device: what is prepared side by side, and what is measured alone.
#include "trial/evaluator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "support/paths.h"
#include "support/subprocess.h"
#include "support/worker.h"
#include "trial/faulty_kernels.h"

namespace vyre::trial {
namespace {

using testing::correct_body;
using testing::tripled;
using testing::worker_options;

Evaluator started(std::size_t workers) { return testing::evaluator(worker_options(), workers); }

EvaluateOptions few_samples() {
  EvaluateOptions options;
  options.repeat.max_samples = 5;
  return options;
}

// A kernel of its own, which the driver has to compile.
Candidate numbered(int i) {
  return tripled(fmt::format("k{}", i),
                 fmt::format("if (n == -{}) return; {}", i + 1, correct_body));
}

TEST(Evaluator, GivesWhatWasSubmittedInThatOrder) {
  Evaluator evaluator = started(2);
  for (int i = 0; i < 5; ++i) evaluator.submit(numbered(i), few_samples());
  EXPECT_EQ(evaluator.pending(), 5U);
  for (int i = 0; i < 5; ++i) {
    const auto next = evaluator.next();
    ASSERT_TRUE(next) << next.error().message;
    EXPECT_EQ(next->name(), fmt::format("k{}", i));
    EXPECT_EQ(next->outcome().verdict, Verdict::correct) << next->outcome().reason;
    EXPECT_TRUE(next->outcome().measured);
  }
  EXPECT_EQ(evaluator.pending(), 0U);
}

bool overlap(const Span& a, const Span& b) { return a.from < b.to && b.from < a.to; }

TEST(Evaluator, BuildsAndVerifiesSideBySideButMeasuresAlone) {
  Evaluator evaluator = started(2);
  std::vector<Span> prepared;
  std::vector<Span> timed;
  int submitted = 0;
  // What is submitted while others are measured must wait.
  for (; submitted < 4; ++submitted) evaluator.submit(numbered(submitted), few_samples());
  while (evaluator.pending() > 0) {
    const auto next = evaluator.next();
    ASSERT_TRUE(next) << next.error().message;
    ASSERT_EQ(next->outcome().verdict, Verdict::correct) << next->outcome().reason;
    prepared.push_back(next->outcome().prepared);
    timed.push_back(next->outcome().timed);
    if (submitted < 8) evaluator.submit(numbered(submitted++), few_samples());
  }
  ASSERT_EQ(prepared.size(), 8U);
  for (const Span& measuring : timed) {
    EXPECT_LT(measuring.from, measuring.to);
    for (const Span& preparing : prepared) EXPECT_FALSE(overlap(measuring, preparing));
  }
  const auto beside = [&](const Span& one) {
    return std::ranges::count_if(prepared, [&](const Span& two) { return overlap(one, two); }) > 1;
  };
  EXPECT_TRUE(std::ranges::any_of(prepared, beside)) << "two workers, but never at once";
}

TEST(Evaluator, AFailureIsTheOutcomeOfOneCandidateAndCostsTheOthersNothing) {
  Evaluator evaluator = started(2);
  evaluator.submit(tripled("wrong", "out[i] = in[i];"), few_samples());
  evaluator.submit(tripled("refused", "this is no kernel"), few_samples());
  evaluator.submit(tripled("crashes", testing::crashing_body), few_samples());
  evaluator.submit(numbered(0), few_samples());
  for (const Verdict verdict :
       {Verdict::correctness, Verdict::compile, Verdict::runtime, Verdict::correct}) {
    const auto next = evaluator.next();
    ASSERT_TRUE(next) << next.error().message;
    EXPECT_EQ(next->outcome().verdict, verdict) << next->outcome().reason;
  }
}

TEST(Evaluator, WhatIsKeptCanBeSampledAgainAlsoWhenItsWorkerWasLost) {
  Evaluator evaluator = started(1);
  evaluator.submit(numbered(0), few_samples());
  auto kept = evaluator.next();
  ASSERT_TRUE(kept) << kept.error().message;
  evaluator.submit(tripled("crashes", testing::crashing_body), few_samples());
  ASSERT_TRUE(evaluator.next());
  const auto sample = kept->sample(3);
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_GT(sample->wall_ns, 0);
}

TEST(Evaluator, ForgetsWhatIsDiscarded) {
  Evaluator evaluator = started(2);
  for (int i = 0; i < 6; ++i) evaluator.submit(numbered(i), few_samples());
  evaluator.discard();
  EXPECT_EQ(evaluator.pending(), 0U);
  evaluator.submit(numbered(7), few_samples());
  const auto next = evaluator.next();
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(next->name(), "k7");
}

// As a run ends whose first kernel cannot even be checked.
TEST(Evaluator, WarmsUpNobodyAfterEverythingIsDiscarded) {
  for (int i = 0; i < 8; ++i) {
    Evaluator evaluator = started(2);
    evaluator.warm_up(numbered(i).kernel);
    evaluator.discard();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // would be enough to begin
    evaluator.set_limits(evaluator.limits());
    EXPECT_EQ(evaluator.pending(), 0U);
  }
}

TEST(Evaluator, EndsWithWorkStillPending) {
  Evaluator evaluator = started(2);
  for (int i = 0; i < 6; ++i) evaluator.submit(numbered(i), few_samples());
}

// The first worker does both, one after the other.
TEST(Evaluator, RunsAKernelWhileItsWorkersWarmUp) {
  for (int i = 0; i < 4; ++i) {
    Evaluator evaluator = started(2);
    const Candidate candidate = numbered(i);
    evaluator.warm_up(candidate.kernel);
    for (int j = 0; j < 4; ++j) {
      const auto output = evaluator.run(candidate);
      ASSERT_TRUE(output) << output.error().message;
    }
    evaluator.submit(candidate, few_samples());
    const auto next = evaluator.next();
    ASSERT_TRUE(next) << next.error().message;
    EXPECT_EQ(next->outcome().verdict, Verdict::correct) << next->outcome().reason;
  }
}

TEST(Evaluator, GoesOnWithOneWorkerIfTheOthersCannotBeStarted) {
  const testing::TemporaryDirectory dir;
  worker::Options options = worker_options();
  options.program = (dir.path() / "worker").string();
  std::filesystem::copy_file(testing::paths::worker, options.program);
  Evaluator evaluator = testing::evaluator(options, 2);
  std::filesystem::remove(options.program);
  for (int i = 0; i < 3; ++i) evaluator.submit(numbered(i), few_samples());
  for (int i = 0; i < 3; ++i) {
    const auto next = evaluator.next();
    ASSERT_TRUE(next) << next.error().message;
    EXPECT_EQ(next->name(), fmt::format("k{}", i));
    EXPECT_EQ(next->outcome().verdict, Verdict::correct) << next->outcome().reason;
  }
  EXPECT_EQ(evaluator.workers(), 1U);
  EXPECT_NE(evaluator.problem().find(options.program), std::string::npos) << evaluator.problem();
}

TEST(Evaluator, RefusesMoreWorkersThanAnyMachineHasUseFor) {
  EXPECT_FALSE(Evaluator::start(worker_options(), 5000));
}

TEST(Evaluator, WithoutADeviceThereIsNone) {
  EXPECT_FALSE(Evaluator::start(worker_options("no such device"), 2));
}

}  // namespace
}  // namespace vyre::trial
