// What all builders of primitives share.
#pragma once

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/build.h"

namespace vyre::primitives {

// The program. A primitive that builds an invalid one is a bug in vyre.
[[nodiscard]] ir::Program finished(const ir::Builder& builder);

// Into how many shares work along an array is cut, if the caller does not say.
[[nodiscard]] std::uint32_t automatic_shares(const device::Adapter& adapter);

// The least multiple of `step` that is not below `count`, as a size expression.
[[nodiscard]] ir::Value round_up(const ir::Value& count, std::uint32_t step);

}  // namespace vyre::primitives
