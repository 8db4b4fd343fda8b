#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace vyre::cli {
namespace {

bool is_number(const std::string& cell) {
  return !cell.empty() && std::ranges::all_of(cell, [](char c) { return c >= '0' && c <= '9'; });
}

struct Column {
  std::size_t width = 0;
  bool right = true;
};

std::vector<Column> columns_of(const std::vector<std::vector<std::string>>& rows) {
  std::vector<Column> columns(rows.front().size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      columns[c].width = std::max(columns[c].width, rows[r][c].size());
      columns[c].right = columns[c].right && (r == 0 || is_number(rows[r][c]));
    }
  }
  return columns;
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return {};
  const auto columns = columns_of(rows);
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto& [width, right] = columns[c];
      line += right ? fmt::format("{:>{}}", row[c], width) : fmt::format("{:<{}}", row[c], width);
      line += "  ";
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace vyre::cli
