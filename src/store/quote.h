// Texts in quotes, written and read. Those of TOML and JSON are nearly the same, so that a reader
// and a writer of JSON do the work.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vyre::store {

// "text" in quotes; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string quoted(std::string_view text);

// The text as it comes back from a file: with such bytes replaced.
[[nodiscard]] std::string readable(std::string_view text);

// What stands between two quotes of this kind, without its escapes. Nothing if it is not UTF-8, or
// has a control character or an escape that is none.
[[nodiscard]] std::optional<std::string> unescaped(std::string_view inside, char quote);

}  // namespace vyre::store
