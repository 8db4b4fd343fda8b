// T1 1.0, the input format of tuners: parameters and conditions. What a file says besides (kernel,
// arguments, device, budget, whatever tuners add) is passed over.
//
// A parameter's values are a Python expression in a string, as in "[2**i for i in range(6)]", or a
// list. Conditions are expressions, or objects with one under "Expression".
#pragma once

#include <string>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/space/definition.h"

namespace vyre::formats {

// From a file, plain or compressed (.gz), or from its content when that is at hand.
[[nodiscard]] Result<space::Definition> read_t1(const std::string& path);
[[nodiscard]] Result<space::Definition> parse_t1(std::string_view json);

}  // namespace vyre::formats
