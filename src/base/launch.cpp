#include "vyre/base/launch.h"

#include <array>

namespace vyre {
namespace {

struct ScalarRow {
  std::string_view name;
  std::size_t bytes;
};

// Indexed by Scalar.
constexpr std::array<ScalarRow, 6> rows = {{
    {"bool", 1},
    {"u32", 4},
    {"i32", 4},
    {"f32", 4},
    {"f64", 8},
    {"unknown", 0},
}};

}  // namespace

std::size_t storage_bytes(Scalar scalar) { return rows[static_cast<std::size_t>(scalar)].bytes; }

std::string_view name_of(Scalar scalar) { return rows[static_cast<std::size_t>(scalar)].name; }

std::optional<Scalar> scalar_named(std::string_view name) {
  for (const Scalar s : {Scalar::boolean, Scalar::u32, Scalar::i32, Scalar::f32, Scalar::f64}) {
    if (name_of(s) == name) return s;
  }
  return std::nullopt;
}

}  // namespace vyre
