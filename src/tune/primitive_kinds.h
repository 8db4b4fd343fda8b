// The primitives that `vyre tune --primitive NAME:SHAPE` knows, one row each, and the standard set
// of shapes that it tunes if nothing else is said.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tune/family.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"

namespace vyre::tune {

// A family with data to try its members on.
struct Tunable {
  Family family;
  Workload workload;
};

struct PrimitiveKind {
  using Sizes = std::span<const std::uint32_t>;

  std::string_view name;              // "kfac"
  std::string_view form;              // "BLOCKSxN"
  std::string_view meaning;           // a line for people
  std::vector<std::uint32_t> common;  // the shape of the standard set, as many as the form has
  // Refuses what the primitive refuses. Requires as many sizes as the form has.
  Result<Tunable> (*make)(Sizes sizes, const device::Adapter& adapter);
};
[[nodiscard]] std::span<const PrimitiveKind> primitive_kinds();

// One of them with its sizes.
struct PrimitiveShape {
  const PrimitiveKind* kind = nullptr;
  std::vector<std::uint32_t> sizes;
};
// "kfac:1000x16". Refuses what it does not know, with the form and the names.
[[nodiscard]] Result<PrimitiveShape> parse_primitive(std::string_view text);
[[nodiscard]] std::string to_string(const PrimitiveShape& shape);
// What there is to tune: its family's name is the text of the shape.
[[nodiscard]] Result<Tunable> tunable(const PrimitiveShape& shape, const device::Adapter& adapter);

// One shape of each.
[[nodiscard]] std::vector<PrimitiveShape> standard_primitives();

}  // namespace vyre::tune
