// Reads decisions exactly as render.h writes them, and nothing else: a store of 4 MiB in some tens
// of milliseconds, where a reader of all TOML takes half a second. What is refused here goes to
// that one (toml_reader.h).
#pragma once

#include <optional>
#include <string_view>

#include "store/document.h"
#include "vyre/store/decision.h"

namespace vyre::store {

struct PlainRead {
  Decision decision;
  std::size_t length = 0;  // how much of the text it takes; the line end is not part of it
};

// The decision that the text begins with, of either form. The full form has a checksum that is
// right. Its values are not validated.
[[nodiscard]] std::optional<PlainRead> read_plain(std::string_view text);

}  // namespace vyre::store
