// The ways to cut reduce and scan into shares as families: how many shares, and for reduce in which
// order they read.
//
// Measured is the program that does most of the work: the first of reduce, which leaves one number
// for each share, and the last of scan. The others are short, or go over the same shares.
#pragma once

#include "tune/family.h"
#include "vyre/base/error.h"
#include "vyre/primitives/everyday.h"

namespace vyre::tune {

// The baseline is what is automatic on this adapter; there are up to eight times as many shares and
// an eighth. Members have arrays of shares of different lengths: these families are for searching,
// not for Tuned.
[[nodiscard]] Result<Family> reduce_family(const primitives::ReduceOptions& options,
                                           const device::Adapter& adapter);
[[nodiscard]] Result<Family> scan_family(const primitives::ScanOptions& options,
                                         const device::Adapter& adapter);

[[nodiscard]] Result<ir::Program> reduce_baseline(const primitives::ReduceOptions& options,
                                                  const device::Adapter& adapter);
[[nodiscard]] Result<ir::Program> scan_baseline(const primitives::ScanOptions& options,
                                                const device::Adapter& adapter);

// Numbers of which every sum is exact, so that the order of additions cannot be seen.
[[nodiscard]] Result<Workload> reduce_workload(const primitives::ReduceOptions& options,
                                               const device::Adapter& adapter);
[[nodiscard]] Result<Workload> scan_workload(const primitives::ScanOptions& options,
                                             const device::Adapter& adapter);

}  // namespace vyre::tune
