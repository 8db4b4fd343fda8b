// The programs that schedules are learned from: primitives in their plain forms, and plain kernels
// made from templates at several shapes. None of them is one of the examples, which what was
// learned is measured on.
#pragma once

#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::learn {

// Names are unique.
[[nodiscard]] Result<std::vector<ir::Program>> programs();

}  // namespace vyre::learn
