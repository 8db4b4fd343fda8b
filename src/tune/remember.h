// Between a family and the store: what a run found becomes a decision, and a decision becomes the
// member of the family that it stands for.
//
// A member's parameters are the configuration of its decision; its workgroup stands there and on
// its own, so that a decision in the short form names a member too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/space/space.h"
#include "vyre/store/decision.h"
#include "vyre/store/key.h"
#include "vyre/tune/family.h"
#include "vyre/tune/tune.h"

namespace vyre::tune {

// What a family's decisions are kept under: of the original, with the sizes that it is launched
// with. Output are the global buffers that the program may write, input the others.
[[nodiscard]] Result<store::Dispatch> dispatch_of(const ir::Program& program,
                                                  const ir::Uniforms& uniforms);

// A member with the evidence for it.
struct Choice {
  space::Index member = 0;
  measure::Estimate elapsed;                // wall time of a launch
  std::optional<store::Baseline> baseline;  // the original
  std::uint64_t samples = 0;
  std::string strategy;
};

// The winner of the race.
[[nodiscard]] Choice choice_of(const Tuning& tuning, std::string strategy);

// An error if the member cannot be built. Version, driver and date are left to Store::record.
[[nodiscard]] Result<store::Decision> decision_of(const Family& family,
                                                  const store::Dispatch& dispatch,
                                                  const Choice& choice);

// What the decision says nothing about is as in the original. Refuses, with the reason, what is not
// a member: a parameter or a value that the family does not have, a member that is not legal or
// whose workgroup is another than the decision's.
[[nodiscard]] Result<space::Index> member_of(const Family& family, const store::Decision& decision);

// "wg_x=64 wg_y=1 order=strided": a member's parameters.
[[nodiscard]] std::string configuration_text(const Family& family, space::Index member);
// "wg_x=8 vector=16": those in which it differs from the original; "as it is" if none does.
[[nodiscard]] std::string changed_text(const Family& family, space::Index member);

}  // namespace vyre::tune
