// The sweep: every candidate is measured, the fastest wins.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tune/family.h"
#include "vyre/base/error.h"
#include "vyre/base/launch.h"
#include "vyre/space/space.h"
#include "vyre/tune/natural_sweep.h"

namespace vyre::tune {

// 32, 64, 128, 256, 512 and 1024 by 1 by 1, as far as the device's limit.
[[nodiscard]] std::vector<Extent> candidates_1d(std::uint64_t limit);

// Measures the candidates in order and gives the fastest, of equals the first; nothing without
// candidates. The first failure of the timer ends it and is the result.
[[nodiscard]] Result<std::optional<Timed>> best_of(std::span<const Extent> candidates,
                                                   const Timer& timer);

// A family's members with these workgroups, or all where the workgroup is not among the parameters,
// in the order of measuring. The baseline is one of them: the sweep must not end with something
// slower. `limit` is the device's for invocations in a workgroup.
[[nodiscard]] std::vector<space::Index> swept_members(const Family& family, std::uint64_t limit);

}  // namespace vyre::tune
