// The logarithm of expected improvement, in units of the deviation: with z = (best - mean) / sd,
//
//   log(phi(z) + z Phi(z))
//
// (Jones, Schonlau and Welch, "Efficient global optimization of expensive black-box functions",
// 1998). Far below the best, where the value itself would be 0, its expansion is used, so that the
// order of candidates is never lost.
#pragma once

namespace vyre::search {

[[nodiscard]] float log_improvement(float z);
// Never below log_improvement(z), and cheap.
[[nodiscard]] float log_improvement_bound(float z);

}  // namespace vyre::search
