// What was decided before: asked by every primitive that is made without a schedule of its own.
//
//   const tune::StoredPrimitives decisions(store);           // what `vyre tune --primitive` found
//   auto inverse = KfacBlockInverse::make(
//       *device, {.num_blocks = 1000, .n = 16, .decisions = &decisions});
//
// Primitives do not know where decisions are kept; vyre/tune/stored_primitives.h has them from a
// store.
#pragma once

#include "vyre/device/device.h"
#include "vyre/primitives/everyday.h"
#include "vyre/primitives/gemm.h"
#include "vyre/primitives/kfac.h"

namespace vyre::primitives {

// Each gives the options with the schedule that was decided for their shape on this adapter, or as
// they are if nothing was. Any thread may ask at any time.
class Decisions {
 public:
  virtual ~Decisions() = default;

  [[nodiscard]] virtual KfacOptions decided(const KfacOptions& options,
                                            const device::Adapter& adapter) const = 0;
  [[nodiscard]] virtual GemmOptions decided(const GemmOptions& options,
                                            const device::Adapter& adapter) const = 0;
  [[nodiscard]] virtual ReduceOptions decided(const ReduceOptions& options,
                                              const device::Adapter& adapter) const = 0;
  [[nodiscard]] virtual ScanOptions decided(const ScanOptions& options,
                                            const device::Adapter& adapter) const = 0;
  [[nodiscard]] virtual TransposeOptions decided(const TransposeOptions& options,
                                                 const device::Adapter& adapter) const = 0;
  [[nodiscard]] virtual ConvolutionOptions decided(const ConvolutionOptions& options,
                                                   const device::Adapter& adapter) const = 0;
};

}  // namespace vyre::primitives
