// What became of one candidate: it is correct and its time is known, or why not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/measure/repeat.h"

namespace vyre::trial {

enum class Verdict : std::uint8_t {
  correct,
  compile,      // the compiler refused it, or crashed on it
  timeout,      // compiling or running took longer than its limit
  runtime,      // a signal, an error of the driver, a write out of bounds
  correctness,  // a wrong element
  constraints,  // it needs more than the device has
};
[[nodiscard]] std::string_view name_of(Verdict verdict);

// The verdict on a kernel whose session ended in this error; empty if the error is not the kernel's
// but of the whole run: no device, no worker, no descriptors, a wrong call.
[[nodiscard]] std::optional<Verdict> verdict_of(const Error& error);

struct Outcome {
  Verdict verdict = Verdict::correct;
  std::string reason;  // empty if it is correct; the compiler's log, the signal, the wrong element
  std::optional<measure::Measurement> measured;  // if it got that far
};

}  // namespace vyre::trial
