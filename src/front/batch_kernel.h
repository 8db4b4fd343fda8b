// A kernel as batches use it: what goes in and comes out of an item, arrays for each number of
// items, and a dispatch from bytes to bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "front/kernel_state.h"
#include "ir/facts.h"
#include "vyre/front/batches.h"

namespace vyre::detail {

// An argument of the kernel, of one item.
struct ItemPart {
  std::string name;
  Scalar scalar = Scalar::unknown;
  bool written = false;
  Extents item;

  [[nodiscard]] std::size_t elements() const { return item.dims() == 0 ? 1 : item.count(); }
  [[nodiscard]] std::size_t bytes() const { return elements() * storage_bytes(scalar); }
  [[nodiscard]] Extents extents(std::size_t items) const;
};

class BatchKernel {
 public:
  // Refuses options that are not as they must be, arrays that are both read and written, and items
  // that the kernel's arrays do not have.
  static Result<BatchKernel> make(std::shared_ptr<KernelState> kernel, const BatchOptions& options);

  [[nodiscard]] const std::string& name() const { return kernel_->name(); }
  [[nodiscard]] ContextState& context() const { return *kernel_->context(); }
  [[nodiscard]] const std::vector<ItemPart>& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<ItemPart>& outputs() const { return outputs_; }
  // Of a launch of `least` items.
  [[nodiscard]] const ir::Facts& facts() const { return facts_; }

  // Parts have the bytes of `capacity` items. Waits for the end. For one thread at a time.
  using Bytes = std::vector<std::vector<std::byte>>;
  [[nodiscard]] Result<void> run(std::uint32_t capacity, const Bytes& inputs, Bytes& outputs);

 private:
  explicit BatchKernel(std::shared_ptr<KernelState> kernel) : kernel_(std::move(kernel)) {}
  [[nodiscard]] Result<void> take_parts(const BatchOptions& options);
  [[nodiscard]] Result<ir::Uniforms> sizes_of(std::uint32_t items) const;
  [[nodiscard]] const std::vector<AnyArray>& arrays_for(std::uint32_t capacity);

  std::shared_ptr<KernelState> kernel_;
  std::vector<ItemPart> parts_;  // in the order of the arguments
  std::vector<ItemPart> inputs_;
  std::vector<ItemPart> outputs_;
  ir::Facts facts_;
  std::map<std::uint32_t, std::vector<AnyArray>> arrays_;
};

}  // namespace vyre::detail
