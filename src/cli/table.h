// Text in columns, for people.
#pragma once

#include <string>
#include <vector>

namespace vyre::cli {

// The first row is the heading. Columns are as wide as their widest cell, two spaces apart; those
// whose cells are all numbers (the heading aside) are set to the right.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace vyre::cli
