// Between a family and the store: what a run found becomes a decision, and a decision becomes the
// member of the family that it stands for.
//
// A member's parameters are the configuration of its decision; its workgroup stands there and on
// its own, so that a decision in the short form names a member too.
#pragma once

#include <string>

#include "tune/family.h"
#include "tune/judgement.h"
#include "vyre/base/error.h"
#include "vyre/space/space.h"
#include "vyre/store/decision.h"

namespace vyre::tune {

// A member with what was judged of it. An error if the member cannot be built. Version, driver and
// date are left to Store::record.
[[nodiscard]] Result<store::Decision> decision_of(const Family& family, space::Index member,
                                                  const Judgement& judgement, std::string strategy);

// What the decision says nothing about is as in the baseline. Refuses, with the reason, what is not
// a member: a parameter or a value that the family does not have, a member that is not legal or
// whose workgroup is another than the decision's.
[[nodiscard]] Result<space::Index> member_of(const Family& family, const store::Decision& decision);

}  // namespace vyre::tune
