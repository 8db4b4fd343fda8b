// What to write instead of words and signs of other languages that the text form does not have.
// Only for messages: a name such as `float` is free to be declared.
#pragma once

#include <string>
#include <string_view>

namespace vyre::ir {

// "; write ..." behind a message about this word or sign; empty if there is nothing to say of it.
[[nodiscard]] std::string hint(std::string_view text);

// "; there are abs, sqrt, ...": every function.
[[nodiscard]] std::string list_of_functions();

}  // namespace vyre::ir
