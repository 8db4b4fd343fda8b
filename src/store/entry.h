// A decision with its part of the text of a file. What this vyre does not know of it, and comments,
// are in the text only, and stay there.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "store/toml.h"
#include "vyre/base/error.h"
#include "vyre/store/decision.h"

namespace vyre::store {

inline constexpr std::size_t max_entry_bytes = std::size_t{16} << 10;

struct Entry {
  Decision decision;
  std::string text;  // without a line end behind it

  // Else it is a field, which stands before all tables.
  [[nodiscard]] bool is_table() const { return text.starts_with('['); }
};
using EntryPtr = std::shared_ptr<const Entry>;
using Entries = std::map<Key, EntryPtr>;

// As vyre writes it. A decision that is not valid, or takes more than max_entry_bytes, is refused.
[[nodiscard]] Result<EntryPtr> make_entry(const Decision& decision);

// What stands under a key: a list in the short form, a table in the full one. The decision is
// valid, and its checksum right if it has one. The piece is the text that the value was read from.
[[nodiscard]] Expected<Decision, toml::Fault> read_decision(const Key& key,
                                                            const toml::Value& value,
                                                            std::string_view piece);

// CRC-32 of a full form up to the line of its checksum, as 8 hexadecimal digits.
[[nodiscard]] std::string checksum(std::string_view text);

}  // namespace vyre::store
