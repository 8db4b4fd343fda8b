// Finds letters beyond ASCII where TOML allows none: outside of texts in quotes and of comments.
//
// toml++ 3.3 declares some of them impossible to the compiler (U+FE7F, for example) instead of
// refusing them, so that a piece is looked over before it gets there. It also refuses what TOML
// would allow but nobody needs: such letters in texts of several lines.
#pragma once

#include <optional>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::store {

// Where it is. Nothing also where the text stops being TOML first: toml++ says so.
[[nodiscard]] std::optional<Place> stray_letter(std::string_view text);

}  // namespace vyre::store
