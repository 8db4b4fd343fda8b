// The loop: the strategy is asked, the member it names is built, verified and measured in the
// worker, the strategy is told. At the end the best race against the original, interleaved, so that
// what is said of the winner was measured beside it.
//
// A member that fails is an attempt with its reason; the run goes on.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "measure/statistics.h"
#include "trial/evaluate.h"
#include "trial/time.h"
#include "tune/judgement.h"
#include "vyre/base/error.h"
#include "vyre/ir/size.h"
#include "vyre/space/space.h"
#include "vyre/tune/counters.h"
#include "vyre/tune/family.h"
#include "worker/job.h"
#include "worker/session.h"

namespace vyre::tune {

// What the members run on: the contents of the global buffers in the order of declaration.
struct Workload {
  ir::Uniforms uniforms;
  std::vector<worker::Data> buffers;
};

// What says what is right.
enum class Truth : std::uint8_t {
  interpreter,
  original,  // the original on the device: for data that the interpreter would take too long for
};

struct TuneOptions {
  std::string strategy = "natural";  // see search::make_strategy
  std::uint64_t seed = 0;
  std::size_t evaluations = 200;                             // attempts at most
  std::chrono::nanoseconds time = std::chrono::seconds(30);  // for the attempts, not the race
  std::size_t finalists = 3;                                 // beside the original
  // Tried right after the original, whatever the budget; then Family::promising.
  std::vector<space::Index> first;
  Truth truth = Truth::interpreter;
  // Short, because there are many, and by wall time, because members differ in the cores they use.
  trial::EvaluateOptions evaluate = {.repeat = {.budget = std::chrono::milliseconds(400)},
                                     .basis = measure::Basis::wall};
  // Enough rounds that also of a rival that is far behind it is known how far.
  measure::RaceOptions race = {.min_rounds = 10, .budget = std::chrono::seconds(3)};
};

struct Attempt {
  space::Index index = 0;
  trial::Outcome outcome;
  std::chrono::nanoseconds at{};  // when it was done, from the start of the run
};

void count(std::span<const Attempt> attempts, Counters& counters);

struct Progress {
  std::size_t evaluated = 0;
  std::size_t evaluations = 0;  // there will be at most
  std::array<std::size_t, verdict_kinds> verdicts = {};
  std::chrono::nanoseconds elapsed{};
  std::chrono::nanoseconds left{};  // of the time for attempts
  const Attempt* original = nullptr;
  const Attempt* best = nullptr;  // none while nothing is correct
  const Attempt* latest = nullptr;
  bool last = false;  // the race comes next
};
// Called after each attempt; false ends the run, which keeps what it found.
using Watch = std::function<bool(const Progress&)>;

struct Tuning {
  std::vector<Attempt> attempts;        // the original is the first
  std::vector<space::Index> finalists;  // the original is the first
  trial::Report race;                   // one row for each finalist
  Judgement judgement;                  // of the race

  [[nodiscard]] space::Index winner() const { return finalists[judgement.winner]; }
};

// Errors are those of the run: no device, a strategy that does not exist, an original that is not
// correct, nothing that is correct to the end of the race.
[[nodiscard]] Result<Tuning> tune(worker::Session& session, const Family& family,
                                  const Workload& workload, const TuneOptions& options = {},
                                  const Watch& watch = {}, Clock& clock = steady_clock());

}  // namespace vyre::tune
