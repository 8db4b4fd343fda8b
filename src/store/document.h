// The text of a file of decisions; docs/store.md describes it.
//
// Reading never fails as a whole: what is well stays, and every other part is a problem with its
// line. What a newer vyre wrote and this one does not know is kept word for word.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/store/decision.h"

namespace vyre::store {

inline constexpr std::size_t max_file_bytes = std::size_t{4} << 20;  // of a file that is written
inline constexpr std::size_t max_entry_bytes = std::size_t{16} << 10;

// Whose decisions they are.
struct Header {
  std::string adapter;  // its id
  std::string device;   // its name, for people

  bool operator==(const Header&) const = default;
};

// A decision, and its part of the text, unknown fields included.
struct Entry {
  // Of the driver's version. It stands first, where a lookup touches the memory anyway.
  std::size_t driver_hash = 0;
  Decision decision;
  std::string text;
};
using EntryPtr = std::shared_ptr<const Entry>;
using Entries = std::unordered_map<Key, EntryPtr, DigestHash>;

[[nodiscard]] EntryPtr entry_of(Decision decision, std::string text);
// A decision that is not valid, or takes more than max_entry_bytes, is refused.
[[nodiscard]] Result<EntryPtr> make_entry(Decision decision);

struct Document {
  Header header;
  std::vector<EntryPtr> entries;  // one for each key
  std::vector<std::string> unknown_fields;
  std::vector<std::string> unknown_tables;
  Problems problems;  // in the order of the text
};

// Entries whose text is that of a known one are not looked into again.
[[nodiscard]] Document read(std::string_view text, const Entries& known = {});
[[nodiscard]] std::string write(const Document& document);

}  // namespace vyre::store
