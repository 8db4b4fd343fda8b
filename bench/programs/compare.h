// Whether two ways to do the same work came to the same.
#pragma once

#include <string>

#include "arguments.h"

namespace vyre::bench {

// Where the arrays that the program may write differ, for people; empty if they are alike: floats
// within what another order of sums may do to them, integers but for this share.
[[nodiscard]] std::string difference(const Arguments& a, const Arguments& b, double may_differ);

}  // namespace vyre::bench
