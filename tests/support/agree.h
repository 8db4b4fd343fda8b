// What two runs of a program leave in its buffers, and whether it is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/compare.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/run/run.h"

namespace vyre::testing {

// The bytes of each global buffer, in the order of declaration.
using Content = std::vector<std::vector<std::byte>>;

std::vector<std::span<std::byte>> spans(Content& content);

// Launches once with this content, which is replaced by what the device leaves.
Result<void> launch_on(device::Device& device, run::Executable& executable, Content& content);

// The first element that differs by more than a device may, or nothing.
std::optional<std::string> first_difference(const ir::Program& program, const Content& expected,
                                            const Content& got);
std::optional<std::string> first_difference(const ir::Program& program, const Content& expected,
                                            const Content& got, std::uint64_t ulp_bound);

// A number from the environment: how many programs to try, and from which seed on.
std::uint64_t number_from(const char* name, std::uint64_t otherwise);

}  // namespace vyre::testing
