// What all builders of primitives share.
#pragma once

#include <optional>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/build.h"
#include "vyre/schedule/schedule.h"

namespace vyre::primitives {

// The program. A primitive that builds an invalid one is a bug in vyre.
[[nodiscard]] ir::Program finished(const ir::Builder& builder);

// Into how many shares work along an array is cut, if the caller does not say.
[[nodiscard]] std::uint32_t automatic_shares(const device::Adapter& adapter);

// The least multiple of `step` that is not below `count`, as a size expression.
[[nodiscard]] ir::Value round_up(const ir::Value& count, std::uint32_t step);

// The program, if there is one, with these steps taken; an error where they are not legal.
[[nodiscard]] Result<ir::Program> scheduled(Result<ir::Program> program,
                                            const std::optional<schedule::Schedule>& steps);

}  // namespace vyre::primitives
