// How the page looks: its style sheet.
#pragma once

#include <string_view>

namespace vyre::report {

[[nodiscard]] std::string_view style();

}  // namespace vyre::report
