#include "interpret/shadow.h"

#include "base/check.h"

namespace vyre::interpret {

Shadow::Conflict Shadow::conflict(Touch kind, std::uint32_t element, std::uint32_t who,
                                  Epoch epoch) const {
  for (const Touch other : {Touch::write, Touch::atomic, Touch::read}) {
    if (may_meet(kind, other) || !conflicts(other, element, who, epoch)) continue;
    return {other, marks(other)[element]};
  }
  broken_invariant("a race without a conflicting access", std::source_location::current());
}

}  // namespace vyre::interpret
