// Names that CUDA C++ takes for itself.
#pragma once

#include <string_view>

namespace vyre::emit {

// Keywords, types, macros, and the functions and variables that emitted code uses.
[[nodiscard]] bool is_cuda_word(std::string_view name);

// Those, and every other built-in function: a kernel must not redefine one.
[[nodiscard]] bool is_cuda_global(std::string_view name);

}  // namespace vyre::emit
