// The device kind `reference`: vyre's own text, run by the interpreter.
//
// It agrees with the definition of the IR because it is the definition. What a program must not do
// comes back as an error of kind `run`.
#pragma once

#include <memory>

#include "vyre/device/device.h"

namespace vyre::device {

[[nodiscard]] Adapter reference_adapter();
[[nodiscard]] std::unique_ptr<Device> open_reference();

}  // namespace vyre::device
