// CUDA C++ to PTX on a machine that need not have a GPU.
//
// NVRTC is used where its library is found, in process; else nvcc, as a process of its own. Neither
// is linked: a machine without CUDA gets an error that says what to install.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::device {

// `arch` is a virtual or real architecture: "compute_75" or "sm_75".
//
// Errors: no_device if there is no compiler; compile, with the log, if it refuses the source.
[[nodiscard]] Result<std::string> compile_to_ptx(const std::string& source, std::string_view arch,
                                                 std::span<const std::string_view> options);

}  // namespace vyre::device
