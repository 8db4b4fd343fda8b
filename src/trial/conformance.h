// What emitted code relies on, tried on a device: small programs whose results the interpreter
// knows. They run in a worker, so a driver that crashes or hangs is a finding like any other.
//
// conformance_table.cpp has a row for each requirement; that is the one place to add another.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "worker/session.h"

namespace vyre::trial {

// The name of the first requirement.
inline constexpr std::string_view runs_a_kernel = "kernel";

struct Conformance {
  std::string name;    // of the requirement: "fused multiply-add"
  std::string broken;  // what was seen; empty if it holds
  std::string means;   // what does not work where it does not hold
};

// One for each row of the table that fits the device, in its order; of those named in `only`, if
// there are any. The first is that a kernel runs at all: where that fails it is the last too.
// Errors are those of the session.
[[nodiscard]] Result<std::vector<Conformance>> conformance(
    worker::Session& session, std::span<const std::string_view> only = {});

// What is wrong with the times of two launches, of which one has much more to do; empty if nothing.
[[nodiscard]] std::string clock_fault(const device::Timing& brief, const device::Timing& lasting);

}  // namespace vyre::trial
