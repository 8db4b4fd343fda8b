// Candidates evaluated by several workers: prepared side by side, measured alone.
//
// What is submitted is built and verified by as many sessions as there are, while nothing is
// timed. When all of it is prepared, `next` measures one candidate after the other, in the order of
// submission, while nothing is built or verified: a search that is told in that order makes the
// same choices however long each candidate took. What is submitted meanwhile waits.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "trial/candidate.h"
#include "trial/evaluate.h"
#include "vyre/base/error.h"
#include "vyre/base/launch.h"
#include "vyre/worker/options.h"
#include "worker/session.h"

namespace vyre::trial {

// One for each core, but not so many that a search decides on old news or a device has to hold
// many copies of the data.
[[nodiscard]] std::size_t default_workers();

// Used by one thread. What `next` gives must not outlive it.
class Evaluator {
 public:
  // `workers` sessions on one device, default_workers() if that is 0; more than 64 are refused. The
  // first is started now, the others when there is work for them. The clock is read by one thread
  // at a time.
  [[nodiscard]] static Result<Evaluator> start(const worker::Options& options, std::size_t workers,
                                               Clock& clock = steady_clock());
  Evaluator(Evaluator&& other) noexcept;
  Evaluator& operator=(Evaluator&& other) noexcept;
  // Waits for what is being built or verified at this moment; the rest is dropped.
  ~Evaluator();

  [[nodiscard]] const device::Adapter& adapter() const;
  [[nodiscard]] Language language() const;
  // That still work. One whose worker cannot be started is given up and `problem` says why; without
  // the first nothing can be done.
  [[nodiscard]] std::size_t workers() const;
  [[nodiscard]] std::string problem() const;

  // For what is compiled and run from now on. Requires: nothing is pending.
  void set_limits(const worker::Limits& limits);
  [[nodiscard]] worker::Limits limits() const;
  // CPU time of all workers so far. Requires: nothing is pending.
  [[nodiscard]] std::chrono::nanoseconds cpu_time() const;

  // Starts all workers in the background and has each build this kernel once: what a driver does
  // at its first build takes longer than many kernels. Nothing is said of how it ends, and who has
  // not begun when something is measured does without.
  void warm_up(const worker::Job& kernel);
  // Runs a kernel once, by itself: what it left, and itself as if it had been prepared, which may
  // be measured at once. Requires: nothing is pending.
  struct Ran {
    worker::Output output;
    Evaluated evaluated;
  };
  [[nodiscard]] Result<Ran> run(const Candidate& candidate);

  // Begins to prepare it as soon as a worker is free.
  void submit(Candidate candidate, const EvaluateOptions& options);
  // Submitted and not yet given by `next`.
  [[nodiscard]] std::size_t pending() const;
  // The one that was submitted first, measured; one that is surely slower than `best_ns` only until
  // that is clear. Errors are those of the run. Requires: something is pending.
  [[nodiscard]] Result<Evaluated> next(std::optional<double> best_ns = {});
  // Forgets what is pending, and waits until nobody does anything, warming up included.
  void discard();

 private:
  class State;
  explicit Evaluator(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vyre::trial
