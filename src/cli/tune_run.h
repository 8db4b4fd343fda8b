// One call of `vyre tune`: the workers, the store, and what was found so far.
#pragma once

#include <vector>

#include "cli/environment.h"
#include "cli/interrupt.h"
#include "cli/tune_problem.h"
#include "cli/tune_summary.h"
#include "trial/evaluator.h"
#include "tune/decide.h"
#include "tune/roof_meter.h"
#include "vyre/base/expected.h"
#include "vyre/store/store.h"
#include "vyre/tune/counters.h"

namespace vyre::cli {

class TuneRun {
 public:
  // With `again` it searches also where the store has a decision. A tolerance takes the place of
  // what follows from a program's arithmetic.
  struct Options {
    bool again = false;
    std::optional<trial::Tolerance> tolerance = {};
  };
  TuneRun(trial::Evaluator evaluator, const Environment& environment, const Options& options);

  [[nodiscard]] const device::Adapter& adapter() const { return evaluator_.adapter(); }
  [[nodiscard]] const std::vector<TuneRow>& rows() const { return rows_; }
  [[nodiscard]] const tune::Counters& counters() const { return counters_; }
  [[nodiscard]] bool interrupted() const { return interrupt_.requested(); }

  // Adds a program to rows(): with the decision of the store, or with one that is searched now
  // and recorded, or with the reason why there is none, which is printed. Shows progress; an
  // interruption ends the search, which keeps what it found.
  ExitStatus tune(const Problem& problem, const tune::TuneOptions& how);
  // Explains the last one of rows(), which is of this problem; why that cannot be done is printed.
  // Nothing to do where it has no decision, or after an interruption.
  ExitStatus explain(const Problem& problem);
  // Adds one that is not tuned.
  void add(FailedProgram failed) { rows_.push_back(Unexpected(std::move(failed))); }

 private:
  [[nodiscard]] Result<tune::Decided> decide(const Problem& problem, const tune::TuneOptions& how);
  void add(const Problem& problem, const tune::TuneOptions& how, tune::Decided decided);
  void say_result(const TunedProgram& program) const;
  void try_reordering(const Problem& problem, const tune::TuneOptions& how);

  trial::Evaluator evaluator_;
  tune::RoofMeter roof_{evaluator_};
  Options options_;
  store::Store store_;
  tune::Counters counters_;
  Interrupt interrupt_;
  std::vector<TuneRow> rows_;
};

}  // namespace vyre::cli
