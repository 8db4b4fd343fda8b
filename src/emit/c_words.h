// Words that no C-like language leaves to the author.
#pragma once

#include <string_view>

namespace vyre::emit {

// Lists are text: words with a single space between them.
[[nodiscard]] bool is_listed(std::string_view name, std::string_view list);
[[nodiscard]] bool has_listed_prefix(std::string_view name, std::string_view list);

// "float4" for the base "float", also "float" itself.
[[nodiscard]] bool is_vector_type(std::string_view name, std::string_view bases);

// Keywords, types and macros of C, names that look like macros, and those of our helpers.
[[nodiscard]] bool is_c_word(std::string_view name);

// Library functions that compilers know by name, whatever the language.
[[nodiscard]] bool is_c_library(std::string_view name);

}  // namespace vyre::emit
