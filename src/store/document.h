// The text of a file of decisions; docs/store.md describes it.
//
// Reading never fails as a whole: what is well stays, and every other part is a problem with its
// line. What a newer vyre wrote and this one does not know is kept word for word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/entry.h"
#include "vyre/base/error.h"

namespace vyre::store {

inline constexpr std::size_t max_file_bytes = std::size_t{4} << 20;  // of a file that is written

// Whose decisions they are.
struct Header {
  std::string adapter;  // its id
  std::string device;   // its name, for people

  bool operator==(const Header&) const = default;
};

struct Document {
  Header header;
  Entries entries;
  std::vector<std::string> unknown_fields;
  std::vector<std::string> unknown_tables;
  Problems problems;  // in the order of the text
};

// Entries whose text is that of a known one are not looked into again.
[[nodiscard]] Document read(std::string_view text, const Entries& known = {});
[[nodiscard]] std::string write(const Document& document);

}  // namespace vyre::store
