// The text of learned.txt, compiled in: cmake/learned.cpp.in.
#pragma once

#include <string_view>

namespace vyre::schedule {

[[nodiscard]] std::string_view learned_text();

}  // namespace vyre::schedule
