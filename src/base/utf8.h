// Characters of UTF-8, for those who show text that may be anything.
#pragma once

#include <cstddef>
#include <string_view>

namespace vyre {

// The bytes of the character at the front of a text that is not empty, or 0 if those are none.
[[nodiscard]] std::size_t character_length(std::string_view text);

}  // namespace vyre
