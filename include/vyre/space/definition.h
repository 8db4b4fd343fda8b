// What a user writes down of a space: the parameters, and the constraints that tell which
// combinations of their values are valid.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "space/expression.h"
#include "vyre/base/error.h"
#include "vyre/space/value.h"

namespace vyre::space {

struct Definition {
  std::vector<Parameter> parameters;
  std::vector<Expression> constraints;
};

// Parses the constraints and checks everything: the parameters (see checked), and that the
// constraints name only them. A message about a constraint quotes it.
[[nodiscard]] Result<Definition> define(std::vector<Parameter> parameters,
                                        const std::vector<std::string>& constraints);

}  // namespace vyre::space
