// The ways to transpose as a family: all schedules of the program that moves each element straight,
// and tiles of several sizes through shared memory.
#pragma once

#include "tune/family.h"
#include "vyre/base/error.h"
#include "vyre/primitives/everyday.h"

namespace vyre::tune {

// The baseline is the straight program as it is. `through` is the side of a tile, 0 for none; a
// member with a tile has the other parameters of the baseline, which mean nothing for it.
[[nodiscard]] Result<Family> transpose_family(const primitives::TransposeOptions& options,
                                              const device::Adapter& adapter);

// The options with a member's tile or schedule.
[[nodiscard]] primitives::TransposeOptions transpose_member(primitives::TransposeOptions options,
                                                            const space::Space& space,
                                                            space::Index member);

}  // namespace vyre::tune
