// Text from outside, made safe to stand in HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vyre::report {

// For content and for attributes in double quotes. Control characters become spaces and what is
// not UTF-8 the replacement character, so that a damaged message cannot damage the page.
[[nodiscard]] std::string escaped(std::string_view text);

// At most so many characters, the last an ellipsis where something was cut off. Not escaped yet.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

// "1 kernel", "2 kernels".
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

}  // namespace vyre::report
