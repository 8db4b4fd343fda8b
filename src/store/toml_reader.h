// Reads any TOML, in pieces: one table with its fields, or one field before the first table.
// Slower than plain.h by a factor of ten or more, and for all that was not written by this vyre.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "vyre/base/error.h"
#include "vyre/store/decision.h"

namespace vyre::store {

// A piece that holds no decision.
struct OtherField {
  std::string name;
  std::optional<std::string> text;  // its value, if that is a string
};
struct OtherTable {
  std::string name;
};

using TomlPiece = std::variant<Decision, OtherField, OtherTable>;

struct TomlError {
  Error error;           // its place is in the piece
  bool is_toml = false;  // only the content is wrong
};

// Requires at most max_entry_bytes. The decision is valid, and its checksum right if it has one.
[[nodiscard]] std::expected<TomlPiece, TomlError> read_toml(std::string_view piece);

}  // namespace vyre::store
