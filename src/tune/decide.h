// From a family to a decision, the one way there is: look up, start from what is known, search,
// race, judge, record, count. `vyre tune` and tuned programs at run time both take it.
//
// What was compared with nothing is no decision: it is remembered nowhere, so that the next run
// searches.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "trial/evaluator.h"
#include "tune/family.h"
#include "tune/tune.h"
#include "vyre/base/error.h"
#include "vyre/store/store.h"
#include "vyre/tune/counters.h"
#include "vyre/tune/options.h"
#include "vyre/tune/tuned.h"

namespace vyre::tune {

// Where members are tried and on what, made when it is needed first.
struct Bench {
  std::function<Result<trial::Evaluator*>()> evaluator;
  std::function<Result<Workload>()> workload;
  // Whether the winner can be used, asked before it is recorded; none: it can.
  std::function<Result<void>(space::Index)> accept = {};
};

struct DecideOptions {
  Mode mode = Mode::natural;
  bool again = false;             // search also where the store has a decision
  bool needs_evidence = false;    // search also where nothing was measured for the decision
  store::Store* store = nullptr;  // none: nothing is known or remembered
  Counters* counters = nullptr;
  LoopOptions loop;
  Watch watch;
};

struct Decided {
  Origin origin = Origin::original;
  space::Index member = 0;
  // With the evidence for it: from the store, or of this run. None if nothing is known.
  std::optional<store::Decision> decision;
  // Of this run; none if nothing was tried.
  std::optional<Tuning> tuning;
  std::chrono::sys_seconds started = {};
  bool remembered = false;         // the decision is in the store,
  std::string not_remembered;      // or why not,
  bool save_failed = false;        // and whether that is because it could not be saved
  std::vector<std::string> notes;  // for the user: why it is not as it could be
};

// A decision in the short form that is no member of the family is in `decision` with the baseline
// as `member`. Errors are those of a run that was needed: see tune().
[[nodiscard]] Result<Decided> decide(const Family& family, const Bench& bench,
                                     const DecideOptions& options, Clock& clock = steady_clock());

}  // namespace vyre::tune
