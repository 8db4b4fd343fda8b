// nvcc, the CUDA compiler as a process.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "vyre/base/error.h"

namespace vyre::device {

// The compiler in these installations or in the usual places, or nothing.
[[nodiscard]] std::optional<std::string> find_nvcc(std::span<const std::string> roots);

// Runs it in a temporary directory of its own.
[[nodiscard]] Result<std::string> nvcc_ptx(const std::string& nvcc, const std::string& source,
                                           std::span<const std::string> options);

}  // namespace vyre::device
