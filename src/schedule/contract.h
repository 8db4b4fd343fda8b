// The step that makes float arithmetic shorter where the program says that order does not matter:
//
//   a * b + c                                   fma(a, b, c)
//   for k in 0 .. n { s = s + f * e }           for k in 0 .. n { t = t + e }   s = s + f * t
//
// for factors f that are the same in every iteration. Roundings differ; nothing else does.
#pragma once

#include "schedule/step.h"

namespace vyre::schedule {

extern const Step contract_step;

// Refuses programs without `reassociate`, and those in which there is nothing to contract.
[[nodiscard]] Result<ir::Program> contracted(const ir::Program& program);

}  // namespace vyre::schedule
