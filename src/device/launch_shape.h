// Whether a launch has a legal shape, asked before a driver sees it.
#pragma once

#include <string>

#include "vyre/base/error.h"
#include "vyre/base/launch.h"
#include "vyre/device/device.h"

namespace vyre::device {

// "64 x 1 x 1"
[[nodiscard]] std::string to_string(const Extent& extent);

// Invocations in one group, without overflow.
[[nodiscard]] std::uint64_t volume(const Extent& extent);

// Refuses empty dimensions, groups that do not cover the grid exactly once, and workgroups over the
// device's limits, naming the numbers that clash.
[[nodiscard]] Result<void> check_shape(const Shape& shape, const Limits& limits);

}  // namespace vyre::device
