// The layouts of kfac_block_inverse as a family, and matrices to try them on.
#pragma once

#include "tune/family.h"
#include "vyre/base/error.h"
#include "vyre/primitives/kfac.h"

namespace vyre::tune {

// The baseline is one block per invocation. The layouts round in different orders, so results agree
// within what a condition number of 100 makes of that.
[[nodiscard]] Result<Family> kfac_family(const primitives::KfacOptions& options);
// With the usual schedule for this adapter as what runs where nothing is decided.
[[nodiscard]] Result<Family> kfac_family(const primitives::KfacOptions& options,
                                         const device::Adapter& adapter);

// Symmetric blocks with eigenvalues near n and above, as damped Kronecker factors have.
[[nodiscard]] Result<Workload> kfac_workload(const primitives::KfacOptions& options);

}  // namespace vyre::tune
