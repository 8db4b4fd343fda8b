// The value of a tuning parameter, and the parameter itself: a name and the values it can take.
//
// Values compare as Python's do, because the files they come from are written for Python: 1, 1.0
// and True are equal, "1" is not. A parameter's values keep the order in which they were given;
// which of them a configuration has is a Digit, the position in that order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vyre/base/error.h"

namespace vyre::space {

using Value = std::variant<std::int64_t, double, bool, std::string>;

// Python's ==. An integer and a float are equal only if they are the same number, without rounding.
[[nodiscard]] bool same(const Value& left, const Value& right);

// As Python's str() writes it: 16, 0.5, 2.0, 1e-05, True, text without quotes.
[[nodiscard]] std::string to_string(const Value& value);

// The position of a value among its parameter's values.
using Digit = std::uint16_t;
inline constexpr std::size_t max_values = 65'536;
inline constexpr std::size_t max_parameters = 1'024;
inline constexpr std::size_t max_constraints = 4'096;

struct Parameter {
  std::string name;
  std::vector<Value> values;

  bool operator==(const Parameter&) const = default;
};

// Checks the parameters of a space: at least one, names that are not empty and not repeated, at
// most max_values values each. A value that is repeated counts once: the later ones are dropped.
[[nodiscard]] Result<std::vector<Parameter>> checked(std::vector<Parameter> parameters);

}  // namespace vyre::space
