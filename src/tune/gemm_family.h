// The ways to multiply matrices as a family. On a CPU, where they are packed: how far a pass goes
// along k, and how large a block of C an invocation makes. Elsewhere the schedules of the tiled
// program.
#pragma once

#include "tune/family.h"
#include "vyre/base/error.h"
#include "vyre/primitives/gemm.h"

namespace vyre::tune {

// Of the last program of the layout that is automatic on this adapter; packed, its buffers are
// packed_a, packed_b and c. The baseline is GemmSchedule's own. Sums are split where a pass ends,
// so results agree within rounding.
[[nodiscard]] Result<Family> gemm_family(const primitives::GemmOptions& options,
                                         const device::Adapter& adapter);

}  // namespace vyre::tune
