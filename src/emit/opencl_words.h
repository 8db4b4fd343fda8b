// Names that OpenCL C takes for itself.
#pragma once

#include <string_view>

namespace vyre::emit {

// Keywords, types, macros, and the functions that emitted code calls.
[[nodiscard]] bool is_opencl_word(std::string_view name);

// Those, and every other built-in function: a kernel must not redefine one.
[[nodiscard]] bool is_opencl_global(std::string_view name);

}  // namespace vyre::emit
