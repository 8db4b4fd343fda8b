// The table of steps: everything that knows of all of them goes through it.
#pragma once

#include <span>

#include "schedule/step.h"

namespace vyre::schedule {

// In the order of application.
[[nodiscard]] std::span<const Step* const> steps();

// In the order in which spaces and texts have their parameters.
[[nodiscard]] std::span<const Step* const> declared_steps();

}  // namespace vyre::schedule
