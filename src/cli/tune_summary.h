// What `vyre tune` says at the end: a table for people, JSON for scripts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/tune_explain.h"
#include "formats/results.h"
#include "tune/family.h"
#include "tune/tune.h"
#include "vyre/base/expected.h"
#include "vyre/device/device.h"
#include "vyre/store/decision.h"

namespace vyre::cli {

// One program: tuned now, or with a decision from before.
struct TunedProgram {
  std::string file;                         // as it was asked for
  std::string name;                         // its own, or the file where that is not enough
  store::Decision decision;                 // in the full form
  std::string configuration;                // what differs from the default
  bool remembered = false;                  // the store has the decision,
  std::string not_remembered;               // or why not,
  bool save_failed = false;                 // and whether it should have it
  std::optional<tune::Tuning> tuning;       // none if the decision was in the store,
  std::optional<formats::Results> results;  // and the same for files and pages
  std::optional<double> reordering_gain;    // see tune/reordering.h; none if it was not measured
  std::optional<Explanation> explanation;   // if it was asked for
};

// One that has no decision, and why.
struct FailedProgram {
  std::string file;
  std::string name;
  std::string reason;
};
// In the order in which they were asked for.
using TuneRow = Expected<TunedProgram, FailedProgram>;

// "2.95 (2.90 .. 3.01)", or why the default stays.
[[nodiscard]] std::string gain_text(const TunedProgram& program);

[[nodiscard]] std::string summary_table(std::span<const TuneRow> rows);
// A few lines for each that has an explanation.
[[nodiscard]] std::string explanations_text(std::span<const TuneRow> rows);
// Without an adapter if none was needed.
[[nodiscard]] std::string summary_json(const device::Adapter* adapter,
                                       std::span<const TuneRow> rows);

}  // namespace vyre::cli
