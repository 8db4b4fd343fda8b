// How a definition is enumerated: groups of parameters that constrain each other, and for each
// group the order in which its parameters are bound and its checks made.
//
// The order minimises the expected number of tests, under the assumption that checks hold
// independently: then the number of partial configurations behind a set of checks does not depend
// on their order, and the best order of the sets is found by dynamic programming (as for joins in a
// database; Selinger et al., 1979). With many checks it is chosen greedily.
#pragma once

#include <cstdint>
#include <vector>

#include "space/check.h"
#include "vyre/space/definition.h"

namespace vyre::space {

struct Step {
  std::uint32_t parameter = 0;
  std::vector<std::size_t> checks;  // those whose parameters are all bound with this one
};

struct Group {
  std::vector<Step> steps;
};

struct Plan {
  std::vector<std::vector<Digit>> domains;  // of each parameter, after checks of it alone
  std::vector<Check> checks;                // over two parameters or more
  std::vector<Group> groups;                // of the parameters with more than one value
  bool impossible = false;                  // no configuration is valid
  Tally tally;
};

// The definition must outlive the plan. An error if the constraints cost more than `most_work` to
// look at; what is left of it is the plan's, to be enumerated with.
[[nodiscard]] Result<Plan> make_plan(const Definition& definition, std::uint64_t most_work);

}  // namespace vyre::space
