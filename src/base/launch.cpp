#include "vyre/base/launch.h"

#include <algorithm>
#include <array>

namespace vyre {
namespace {

struct ScalarRow {
  std::string_view name;
  std::size_t bytes;
};

// Indexed by Scalar.
constexpr std::array<ScalarRow, 13> rows = {{
    {"bool", 1},
    {"u32", 4},
    {"i32", 4},
    {"f32", 4},
    {"f64", 8},
    {"u64", 8},
    {"i64", 8},
    {"u8", 1},
    {"i8", 1},
    {"u16", 2},
    {"i16", 2},
    {"f16", 2},
    {"unknown", 0},
}};
static_assert(rows.size() == static_cast<std::size_t>(Scalar::unknown) + 1);

}  // namespace

std::size_t storage_bytes(Scalar scalar) { return rows[static_cast<std::size_t>(scalar)].bytes; }

std::string_view name_of(Scalar scalar) { return rows[static_cast<std::size_t>(scalar)].name; }

std::optional<Scalar> scalar_named(std::string_view name) {
  const auto found = std::ranges::find(rows, name, &ScalarRow::name);
  if (found == rows.end() - 1 || found == rows.end()) return std::nullopt;  // "unknown" is none
  return static_cast<Scalar>(found - rows.begin());
}

}  // namespace vyre
