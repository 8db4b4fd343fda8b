// What `vyre tune` says at the end: a table for people, JSON for scripts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/results.h"
#include "tune/family.h"
#include "tune/tune.h"
#include "vyre/device/device.h"
#include "vyre/store/decision.h"

namespace vyre::cli {

// One program: tuned now, or with a decision from before.
struct TunedProgram {
  std::string file;                         // as it was asked for
  std::string name;                         // its own, or the file where that is not enough
  store::Decision decision;                 // in the full form
  std::string configuration;                // what differs from the default
  bool remembered = false;                  // the store has the decision
  std::optional<tune::Tuning> tuning;       // none if the decision was in the store,
  std::optional<formats::Results> results;  // and the same for files and pages
};

// "2.95 (2.90 .. 3.01)", or why the default stays.
[[nodiscard]] std::string gain_text(const TunedProgram& program);

[[nodiscard]] std::string summary_table(const std::vector<TunedProgram>& programs);
[[nodiscard]] std::string summary_json(const device::Adapter& adapter,
                                       const std::vector<TunedProgram>& programs);

}  // namespace vyre::cli
