// What all builders of primitives share.
#pragma once

#include "vyre/base/error.h"
#include "vyre/ir/build.h"

namespace vyre::primitives {

// The program. A primitive that builds an invalid one is a bug in vyre.
[[nodiscard]] ir::Program finished(const ir::Builder& builder);

// The least multiple of `step` that is not below `count`, as a size expression.
[[nodiscard]] ir::Value round_up(const ir::Value& count, std::uint32_t step);

}  // namespace vyre::primitives
