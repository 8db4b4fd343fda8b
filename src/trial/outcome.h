// What became of one candidate: it is correct and its time is known, or why not.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "measure/repeat.h"
#include "vyre/base/error.h"
#include "vyre/base/verdict.h"

namespace vyre::trial {

// The verdict on a kernel whose session ended in this error; empty if the error is not the kernel's
// but of the whole run: no device, no worker, no descriptors, a wrong call.
[[nodiscard]] std::optional<Verdict> verdict_of(const Error& error);

// What it took to find out, step by step; 0 for those it did not get to. Where the driver compiles
// at the first launch, that is in `verify`.
struct Costs {
  std::chrono::nanoseconds build{};
  std::chrono::nanoseconds verify{};   // Oclgrind included
  std::chrono::nanoseconds measure{};  // the warm-up included

  [[nodiscard]] std::chrono::nanoseconds total() const { return build + verify + measure; }
  bool operator==(const Costs&) const = default;
};

// When something was done, by the clock of the run.
struct Span {
  std::chrono::nanoseconds from{};
  std::chrono::nanoseconds to{};
  bool operator==(const Span&) const = default;
};

struct Outcome {
  Verdict verdict = Verdict::correct;
  std::string reason;  // empty if it is correct; the compiler's log, the signal, the wrong element
  std::optional<measure::Measurement> measured;  // if it got that far
  Costs costs;
  Span prepared = {};  // built and verified, perhaps beside others
  Span timed = {};     // measured, alone
};

}  // namespace vyre::trial
