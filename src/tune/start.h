// Where a search begins: with members that were good for programs that are like this one.
//
// What is known of other programs comes from the decisions of the user's own store, and from the
// examples that the library was made with (see docs/schedules.md).
#pragma once

#include <vector>

#include "tune/family.h"
#include "vyre/space/space.h"
#include "vyre/store/store.h"

namespace vyre::tune {

// The most promising first, never the baseline; none for a family without features. Decisions on
// this very program are left out: a lookup finds those. `store` may be null.
[[nodiscard]] std::vector<space::Index> promising_members(const Family& family,
                                                          const store::Store* store);

// How many times faster programs that are like this one became; 1 for a family without features.
[[nodiscard]] double expected_gain(const Family& family, const store::Store* store);

}  // namespace vyre::tune
