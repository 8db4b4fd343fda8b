// OpenCL's error codes in words: "-54 invalid work group size: ...".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::device {

// The code, its name and what it means. `detail` says it with the numbers of this call, and then
// replaces the general explanation.
[[nodiscard]] std::string opencl_error(std::int32_t code, std::string_view detail = {});

// An error of kind `device`: "<what> failed: <opencl_error(code, detail)>".
[[nodiscard]] Failure opencl_failure(std::string_view what, std::int32_t code,
                                     std::string_view detail = {});

}  // namespace vyre::device
