// One call of `vyre tune`: the workers, the store, and what was found so far.
#pragma once

#include <vector>

#include "cli/environment.h"
#include "cli/interrupt.h"
#include "cli/tune_problem.h"
#include "cli/tune_summary.h"
#include "trial/evaluator.h"
#include "tune/decide.h"
#include "vyre/store/store.h"
#include "vyre/tune/counters.h"

namespace vyre::cli {

class TuneRun {
 public:
  // With `again` it searches also where the store has a decision.
  TuneRun(trial::Evaluator evaluator, const Environment& environment, tune::TuneOptions how,
          bool again);

  [[nodiscard]] const device::Adapter& adapter() const { return evaluator_.adapter(); }
  [[nodiscard]] const std::vector<TunedProgram>& programs() const { return programs_; }
  [[nodiscard]] const tune::Counters& counters() const { return counters_; }
  [[nodiscard]] bool interrupted() const { return interrupt_.requested(); }

  // Adds a program to programs(): with the decision of the store, or with one that is searched now
  // and recorded. Shows progress; an interruption ends the search, which keeps what it found.
  Result<void> tune(const Problem& problem);

 private:
  [[nodiscard]] Result<tune::Decided> decide(const Problem& problem);
  void add(const Problem& problem, tune::Decided decided);
  void say_result(const Problem& problem) const;

  trial::Evaluator evaluator_;
  tune::TuneOptions how_;
  bool again_;
  store::Store store_;
  tune::Counters counters_;
  Interrupt interrupt_;
  std::vector<TunedProgram> programs_;
};

}  // namespace vyre::cli
