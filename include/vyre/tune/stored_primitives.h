// Primitives that run as was decided: what `vyre tune --primitive kfac:1000x16` remembered is what
// every later one of that shape uses.
//
//   store::Store store(directory, store::owner_of(device->adapter()));
//   const tune::StoredPrimitives decisions(store);
//   auto inverse = primitives::KfacBlockInverse::make(
//       *device, {.num_blocks = 1000, .n = 16, .decisions = &decisions});
//
// Only a decision for this very shape on this adapter counts. One that names what the primitive
// does not have is not used, and problems() says so.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "vyre/primitives/decisions.h"
#include "vyre/store/store.h"
#include "vyre/tune/counters.h"

namespace vyre::tune {

template <class Options>
struct PrimitiveFamily;

class StoredPrimitives final : public primitives::Decisions {
 public:
  // Both must outlive it. It counts how many decisions there were and were not.
  explicit StoredPrimitives(const store::Store& store, Counters* counters = nullptr)
      : store_(store), counters_(counters) {}

  [[nodiscard]] primitives::KfacOptions decided(const primitives::KfacOptions& options,
                                                const device::Adapter& adapter) const override;
  [[nodiscard]] primitives::GemmOptions decided(const primitives::GemmOptions& options,
                                                const device::Adapter& adapter) const override;
  [[nodiscard]] primitives::ReduceOptions decided(const primitives::ReduceOptions& options,
                                                  const device::Adapter& adapter) const override;
  [[nodiscard]] primitives::ScanOptions decided(const primitives::ScanOptions& options,
                                                const device::Adapter& adapter) const override;
  [[nodiscard]] primitives::TransposeOptions decided(const primitives::TransposeOptions& options,
                                                     const device::Adapter& adapter) const override;
  [[nodiscard]] primitives::ConvolutionOptions decided(
      const primitives::ConvolutionOptions& options, const device::Adapter& adapter) const override;

  // Why decisions were not used, a line each.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  template <class Options>
  [[nodiscard]] Options look_up(const PrimitiveFamily<Options>& primitive, const Options& options,
                                const device::Adapter& adapter) const;

  const store::Store& store_;
  Counters* counters_;
  mutable std::mutex mutex_;
  mutable std::vector<std::string> problems_;
};

}  // namespace vyre::tune
