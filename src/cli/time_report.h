// What `vyre time` prints.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/print.h"
#include "cli/program_file.h"
#include "trial/back_to_back.h"
#include "trial/time.h"

namespace vyre::cli {

// A row of the report: a program as it is, or with a schedule.
struct TimeEntry {
  std::string file;
  std::string schedule;             // empty: as it is
  std::optional<Reported> refused;  // why it was not timed; such rows are not in the report
  std::optional<trial::BackToBack> back_to_back;

  // "saxpy.vy wg_x=8".
  [[nodiscard]] std::string name() const { return schedule.empty() ? file : file + " " + schedule; }
};

// A table or JSON to standard output with a row for each entry, what failed when it was timed to
// standard error. Without a report nothing was timed. Returns check_failed if a program failed, or
// the worst status of those that were refused.
ExitStatus print_report(const std::optional<trial::Report>& report,
                        std::span<const TimeEntry> entries, bool json);

}  // namespace vyre::cli
