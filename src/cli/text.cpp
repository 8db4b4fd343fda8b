#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/print.h"

namespace vyre::cli {
namespace {

// With this many digits, or all that are before the point.
std::string rounded(double number, int digits) {
  int after = digits - 1;
  for (double reach = 10; number >= reach && after > 0; reach *= 10) --after;
  return fmt::format("{:.{}f}", number, after);
}

struct Unit {
  double ns;
  const char* name;
};

// What would be rounded to 1000 is 1 of the next unit.
Unit unit_of(double ns) {
  if (ns < 999.5) return {1, "ns"};
  if (ns < 999.5e3) return {1e3, "us"};
  if (ns < 999.5e6) return {1e6, "ms"};
  return {1e9, "s"};
}

std::string number_text(double ns, const Unit& unit) {
  return unit.ns == 1 ? fmt::format("{:.0f}", ns) : rounded(ns / unit.ns, 4);
}

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

std::string time_text(double ns) {
  const Unit unit = unit_of(ns);
  return fmt::format("{} {}", number_text(ns, unit), unit.name);
}

std::string interval_text(const measure::Interval& ns) {
  return fmt::format("{} .. {}", time_text(ns.low), time_text(ns.high));
}

std::string estimate_text(double ns, const measure::Interval& interval) {
  if (interval.low == interval.high) return time_text(ns);
  const Unit unit = unit_of(ns);
  return fmt::format("{} ({} .. {})", time_text(ns), number_text(interval.low, unit),
                     number_text(interval.high, unit));
}

std::string ratio_text(double ratio, const measure::Interval& interval) {
  if (interval.low == interval.high) return rounded(ratio, 3);
  return fmt::format("{} ({} .. {})", rounded(ratio, 3), rounded(interval.low, 3),
                     rounded(interval.high, 3));
}

std::string table(std::vector<std::vector<std::string>> rows) {
  if (rows.empty()) return {};
  for (auto& row : rows) {
    for (std::string& cell : row) cell = printable(cell, "");
  }
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
