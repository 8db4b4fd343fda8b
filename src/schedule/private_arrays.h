// Which arrays of a program can have private copies: those that it adds to by atomics and accesses
// in no other way.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// Elements of an array, and of all its copies in a group.
inline constexpr std::uint32_t most_private = 16'384;
inline constexpr std::uint32_t most_copied = 1U << 20U;

// Refuses a program that reads the buffer or stores to it.
[[nodiscard]] Result<void> check_only_added_to(const ir::Program& program, const ir::Buffer& buffer,
                                               std::string_view what);

// Those of at most so many elements, at the uniforms' defaults, in the order of declaration.
// Refused, with the reason of the first, where there is none. Requires: a program without shared
// memory.
[[nodiscard]] Result<std::vector<ir::Buffer>> private_arrays(const ir::Program& program,
                                                             std::string_view what,
                                                             std::uint32_t most = most_private);

}  // namespace vyre::schedule
