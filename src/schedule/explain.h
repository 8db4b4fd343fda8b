// What each step can do for a program: the values that are worth a try, or why it is not taken.
#pragma once

#include <string>
#include <vector>

#include "schedule/schedule_space.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/space/value.h"

namespace vyre::schedule {

struct StepVerdict {
  std::string step;                          // its parameters: "loop_vector loop_parts"
  std::vector<space::Parameter> parameters;  // those with a choice, and their values; or none,
  std::string refused;                       // and this is why
};

// One for each step, in the order of application; the values are those of schedule_space. Of a step
// without any, the reason is what it says itself when it is taken in its smallest form. Fails as
// schedule_space does.
[[nodiscard]] Result<std::vector<StepVerdict>> explain(const ir::Program& program,
                                                       const Limits& limits = {},
                                                       const ir::Uniforms& uniforms = {});

}  // namespace vyre::schedule
