// What a user writes down of a space: the parameters, and the constraints that tell which
// combinations of their values are valid.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/space/value.h"

namespace vyre::space {

class Expression;  // a constraint, parsed

struct Definition {
  std::vector<Parameter> parameters;
  std::shared_ptr<const std::vector<Expression>> constraints;
};

// Parses the constraints and checks everything: the parameters (see checked), and that the
// constraints name only them. A message about a constraint quotes it.
[[nodiscard]] Result<Definition> define(std::vector<Parameter> parameters,
                                        const std::vector<std::string>& constraints);

}  // namespace vyre::space
