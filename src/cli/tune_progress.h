// What a person sees while programs are tuned: one line that is redrawn on a terminal, else a line
// for each event (a new best, a failure), on standard error.
#pragma once

#include <string>

#include "vyre/space/space.h"
#include "vyre/tune/tune.h"

namespace vyre::cli {

class TuneProgress {
 public:
  TuneProgress(std::string name, const space::Space& space, bool terminal);
  // Clears the line.
  ~TuneProgress();
  TuneProgress(const TuneProgress&) = delete;
  TuneProgress& operator=(const TuneProgress&) = delete;

  void show(const tune::Progress& progress);

 private:
  void event(const tune::Progress& progress);

  std::string name_;
  const space::Space& space_;
  bool terminal_;
};

// "2 compile, 1 timeout", or nothing.
[[nodiscard]] std::string failures_text(
    const std::array<std::size_t, tune::verdict_kinds>& verdicts);

}  // namespace vyre::cli
