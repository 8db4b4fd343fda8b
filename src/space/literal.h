// What numbers and strings in the text of an expression are worth, as Python reads them.
#pragma once

#include <string_view>

#include "vyre/base/error.h"
#include "vyre/space/value.h"

namespace vyre::space {

// Decimal, hexadecimal, octal or binary, with underscores between digits. Beyond 64 bits is an
// error.
[[nodiscard]] Result<Value> read_integer(std::string_view text);
[[nodiscard]] Result<Value> read_float(std::string_view text);
// With its quotes, and the escapes \\ \' \" \n \t.
[[nodiscard]] Result<Value> read_string(std::string_view text);

}  // namespace vyre::space
