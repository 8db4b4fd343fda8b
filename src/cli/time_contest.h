// What a call of `vyre time` lets race: each program as it is and, where that is asked for, with a
// schedule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/environment.h"
#include "cli/program_file.h"
#include "cli/time_report.h"
#include "trial/candidate.h"
#include "vyre/base/expected.h"
#include "vyre/ir/program.h"
#include "vyre/store/store.h"
#include "worker/session.h"

namespace vyre::cli {

struct ContestOptions {
  std::vector<std::string> inputs;    // name=description
  std::vector<std::string> uniforms;  // name=value
  std::string schedule;               // each program with this, too; empty: none
  bool tuned = false;                 // each as the store says, too
  bool checked = true;                // against the interpreter
};

class TimeContest {
 public:
  // The session must outlive it.
  TimeContest(ContestOptions options, worker::Session& session, const Environment& environment);

  // Adds the rows of a file. What is refused is printed, and a row all the same.
  void add(const std::string& file, const Expected<ir::Program, Reported>& program);

  [[nodiscard]] std::vector<TimeEntry>& entries() { return entries_; }
  // One for each entry that is not refused.
  [[nodiscard]] const std::vector<trial::Candidate>& candidates() const { return candidates_; }

 private:
  struct Source;
  using Made = Expected<trial::Candidate, Reported>;

  [[nodiscard]] Expected<Source, Reported> source_of(const std::string& file,
                                                     const ir::Program& program) const;
  [[nodiscard]] Made plain_candidate(const Source& source);
  // It must compute what the program as it is does.
  [[nodiscard]] Made scheduled_candidate(const Source& source, const std::string& schedule,
                                         const Made& plain) const;
  void add_tuned(const Source& source, const Made& plain);
  void add_entry(const std::string& file, const std::string& schedule, Made made);

  ContestOptions options_;
  worker::Session& session_;
  std::optional<store::Store> store_;
  std::vector<TimeEntry> entries_;
  std::vector<trial::Candidate> candidates_;
};

}  // namespace vyre::cli
