// How a decision is written. The reader in plain.h knows exactly this form.
#pragma once

#include <string>
#include <string_view>

#include "vyre/store/decision.h"

namespace vyre::store {

// "text" in quotes; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string quoted(std::string_view text);

// The text with bytes that are not UTF-8 replaced, as it comes back from a file.
[[nodiscard]] std::string readable(std::string_view text);

// Without a line end behind it. The full form ends with its checksum.
[[nodiscard]] std::string render(const Decision& decision);

// CRC-32 of a full form up to the line of its checksum, as 8 hexadecimal digits.
[[nodiscard]] std::string checksum(std::string_view text);

}  // namespace vyre::store
