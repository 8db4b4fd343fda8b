// Names that the C-like languages take for themselves and an author's program cannot keep.
#pragma once

#include <string_view>

namespace vyre::emit {

// Keywords, types and macros, names that look like macros, those of our helpers, and the functions
// and variables that emitted code uses.
[[nodiscard]] bool is_cuda_word(std::string_view name);
[[nodiscard]] bool is_opencl_word(std::string_view name);

// Those, and every other built-in or library function: a kernel must not redefine one.
[[nodiscard]] bool is_cuda_global(std::string_view name);
[[nodiscard]] bool is_opencl_global(std::string_view name);

}  // namespace vyre::emit
