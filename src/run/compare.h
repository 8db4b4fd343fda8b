// Compares what two runs left in a buffer: integers and bools to the bit, floats within ulps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "vyre/ir/program.h"
#include "vyre/ir/type.h"

namespace vyre::run {

// The bound that every device keeps to for most inexact operations: what ir::ulps allows and one
// more, because the interpreter that it is compared with rounds too.
inline constexpr std::uint64_t default_ulp_bound = 4;

// The same for the least exact operation in an expression, and in any of a program's; the default
// at least.
[[nodiscard]] std::uint64_t ulp_bound(const ir::Expr& expr);
[[nodiscard]] std::uint64_t ulp_bound(const ir::Program& program);

// Whether every operation of it rounds correctly, in the order in which it is written: then all
// devices give the same bits. A program with `reassociate` has no such order.
[[nodiscard]] bool is_exact(const ir::Program& program);

// The number of representable values between two floats: 0 if they are equal or both nan, 2^64 - 1
// if one is a nan.
[[nodiscard]] std::uint64_t ulps_between(float a, float b);
[[nodiscard]] std::uint64_t ulps_between(double a, double b);
[[nodiscard]] std::uint64_t ulps_between(Half a, Half b);

struct Difference {
  std::size_t index = 0;
  std::string expected;
  std::string got;
};

struct Comparison {
  std::uint64_t worst_ulp = 0;      // over all floats; a nan against a number counts as 2^64 - 1
  std::optional<Difference> first;  // the first element beyond the bound
};

// Any nan equals any nan, and the two zeros are equal. An f16 is rounded from an f32: beyond a
// bound of 0, neighbours are equal too and no others. Requires: equal lengths.
[[nodiscard]] Comparison compare(Scalar element, std::span<const std::byte> expected,
                                 std::span<const std::byte> got,
                                 std::uint64_t ulp_bound = default_ulp_bound);

}  // namespace vyre::run
