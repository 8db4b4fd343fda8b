// What all builders of primitives share.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/build.h"
#include "vyre/schedule/schedule.h"

namespace vyre::primitives {

// The program. A primitive that builds an invalid one is a bug in vyre.
[[nodiscard]] ir::Program finished(const ir::Builder& builder);
// The same where the caller chose names of buffers: one that cannot be used is the caller's error.
[[nodiscard]] Result<ir::Program> finished(std::string_view primitive, const ir::Builder& builder);
// All of them, or the first error.
[[nodiscard]] Result<std::vector<ir::Program>> all_of(
    std::initializer_list<Result<ir::Program>> programs);

// Into how many shares work along an array is cut, if the caller does not say.
[[nodiscard]] std::uint32_t automatic_shares(const device::Adapter& adapter);

// The least multiple of `step` that is not below `count`, as a size expression.
[[nodiscard]] ir::Value round_up(const ir::Value& count, std::uint32_t step);

// The program, if there is one, with these steps taken; an error where they are not legal.
[[nodiscard]] Result<ir::Program> scheduled(Result<ir::Program> program,
                                            const std::optional<schedule::Schedule>& steps);

}  // namespace vyre::primitives
