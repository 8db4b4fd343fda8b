// What a person sees while programs are tuned: one line that is redrawn on a terminal, else a line
// for each event (a new best, a failure), on standard error.
#pragma once

#include <string>

#include "tune/tune.h"

namespace vyre::cli {

class TuneProgress {
 public:
  // The family must outlive it.
  TuneProgress(const tune::Family& family, bool terminal);
  // Clears the line.
  ~TuneProgress();
  TuneProgress(const TuneProgress&) = delete;
  TuneProgress& operator=(const TuneProgress&) = delete;

  void show(const tune::Progress& progress);

 private:
  const tune::Family& family_;
  bool terminal_;
};

// The line that is redrawn. What matters most comes first: a narrow terminal cuts off the rest.
[[nodiscard]] std::string status_line(const std::string& name, const tune::Progress& progress);
// The lines for what is new, or nothing.
[[nodiscard]] std::string event_text(const tune::Family& family, const tune::Progress& progress);

// "2 compile, 1 timeout", or nothing.
[[nodiscard]] std::string failures_text(const std::array<std::size_t, verdict_kinds>& verdicts);

}  // namespace vyre::cli
