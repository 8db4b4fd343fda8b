// One call of `vyre tune`: the worker, the store, and what was found so far.
#pragma once

#include <vector>

#include "cli/environment.h"
#include "cli/interrupt.h"
#include "cli/tune_problem.h"
#include "cli/tune_summary.h"
#include "vyre/store/store.h"
#include "vyre/tune/counters.h"
#include "vyre/tune/tune.h"
#include "worker/session.h"

namespace vyre::cli {

struct TuneRunOptions {
  bool again = false;  // also what the store has a decision for
};

class TuneRun {
 public:
  TuneRun(worker::Session session, const Environment& environment, tune::TuneOptions how,
          const TuneRunOptions& options);

  [[nodiscard]] const device::Adapter& adapter() const { return session_.adapter(); }
  [[nodiscard]] const std::vector<TunedProgram>& programs() const { return programs_; }
  [[nodiscard]] const tune::Counters& counters() const { return counters_; }
  [[nodiscard]] bool interrupted() const { return interrupt_.requested(); }

  // Adds a program to programs(): with the decision of the store, or with one that is searched now
  // and recorded. Shows progress; an interruption ends the search, which keeps what it found.
  Result<void> tune(const Problem& problem);

 private:
  bool add_remembered(const Problem& problem, const store::Found& found);
  Result<void> add_tuned(const Problem& problem, tune::Tuning tuning,
                         std::chrono::sys_seconds started);
  void remember(const Problem& problem, const tune::Tuning& tuning,
                const store::Decision& decision);
  Result<tune::Tuning> search(const Problem& problem, const store::Found& found);

  worker::Session session_;
  tune::TuneOptions how_;
  TuneRunOptions options_;
  store::Store store_;
  tune::Counters counters_;
  Interrupt interrupt_;
  std::vector<TunedProgram> programs_;
};

}  // namespace vyre::cli
