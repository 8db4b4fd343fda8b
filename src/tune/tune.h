// The loop: the strategy is asked, what it names is built, verified and measured by the workers,
// the strategy is told. At the end the best race against the baseline, interleaved, so that what is
// said of the winner was measured beside it.
//
// A member that fails is an attempt with its reason; the run goes on.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "trial/evaluator.h"
#include "trial/reference.h"
#include "trial/time.h"
#include "tune/family.h"
#include "tune/judgement.h"
#include "vyre/base/error.h"
#include "vyre/base/verdict.h"
#include "vyre/space/space.h"
#include "vyre/tune/options.h"

namespace vyre::tune {

struct Attempt {
  space::Index index = 0;
  trial::Outcome outcome;
  std::chrono::nanoseconds at{};         // when it was done, from the start of the run
  std::chrono::nanoseconds framework{};  // asking, emitting and telling, before it
};

// For the interpreter, where somebody waits or nobody must notice: some 20 ms.
inline constexpr std::uint64_t few_interpreted_steps = 3'000'000;

struct LoopOptions {
  TuneOptions tune;
  std::size_t finalists = 3;  // beside the baseline; with 0 there is no race and no judgement
  // Tried right after the baseline, whatever the budget.
  std::vector<space::Index> first;
  // Then these, before the search knows anything.
  std::vector<space::Index> promising;
  // What was tried in a run that ended before its time, and is not tried again, nor in the race.
  std::vector<Attempt> before;
  // Only these, in this order, in place of the promising and a search.
  std::optional<std::vector<space::Index>> only;
  // How much of the work the interpreter repeats to say what is right, and how near that must be.
  trial::Reference::Options reference;
  // What every member must leave, if that is known; the baseline is then not tried by itself.
  std::optional<std::vector<trial::Expected>> expected;
  // Short, because there are many, and by wall time, because members differ in the cores they use.
  trial::EvaluateOptions evaluate = {.repeat = {.budget = std::chrono::milliseconds(400)},
                                     .basis = measure::Basis::wall};
  // Enough rounds that also of a rival that is far behind it is known how far.
  measure::RaceOptions race = {.min_rounds = 10, .budget = std::chrono::seconds(3)};
};

struct Progress {
  std::size_t evaluated = 0;
  std::size_t evaluations = 0;  // there will be at most
  std::array<std::size_t, verdict_kinds> verdicts = {};
  std::chrono::nanoseconds elapsed{};
  std::chrono::nanoseconds left{};    // of the time for attempts
  const Attempt* baseline = nullptr;  // none if it was not tried by itself
  const Attempt* best = nullptr;      // none while nothing is correct
  const Attempt* latest = nullptr;
  bool last = false;  // the race comes next
};
// Called after each attempt; false ends the run, which keeps what it found.
using Watch = std::function<bool(const Progress&)>;

struct Tuning {
  std::vector<Attempt> attempts;        // the baseline is the first
  std::vector<space::Index> finalists;  // the baseline is the first
  trial::Report race;                   // one row for each finalist
  Judgement judgement;                  // of the race
  std::string accepted;                 // what counts as right, in a line; empty if it was given

  [[nodiscard]] space::Index winner() const { return finalists[judgement.winner]; }
};

// Errors are those of the run: no device, a strategy that does not exist, a baseline that is not
// correct, nothing that is correct to the end of the race.
[[nodiscard]] Result<Tuning> tune(trial::Evaluator& evaluator, const Family& family,
                                  const Workload& workload, const LoopOptions& options = {},
                                  const Watch& watch = {}, Clock& clock = steady_clock());

}  // namespace vyre::tune
