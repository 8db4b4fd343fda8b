// What an array is: memory on a device, or a part of another array's; and why it cannot be read, if
// it cannot.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "front/command.h"
#include "front/context_state.h"
#include "vyre/base/launch.h"
#include "vyre/front/array.h"

namespace vyre::detail {

class ArrayState;
// Refuses arrays of different contexts or sizes, and those that overlap.
[[nodiscard]] Result<void> check_copy(ArrayState& from, ArrayState& to);

class ArrayState {
 public:
  using Context = std::shared_ptr<ContextState>;

  // None of the three fails: what goes wrong is held in the array.
  static std::shared_ptr<ArrayState> zeros(Context context, Scalar scalar, const Extents& extents);
  static std::shared_ptr<ArrayState> of(Context context, Scalar scalar, Extents extents,
                                        std::span<const std::byte> content);
  static std::shared_ptr<ArrayState> slice(std::shared_ptr<ArrayState> whole, std::size_t first,
                                           std::size_t count);

  ArrayState(Context context, Scalar scalar, const Extents& extents)
      : context_(std::move(context)), scalar_(scalar), extents_(extents) {}

  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] Scalar scalar() const { return scalar_; }
  [[nodiscard]] const Extents& extents() const { return extents_; }
  [[nodiscard]] std::size_t bytes() const { return extents_.count() * storage_bytes(scalar_); }

  // For kernels. Requires: no fault.
  [[nodiscard]] Result<device::Buffer*> buffer() {
    return whole_ == nullptr ? Result<device::Buffer*>(buffer_.get()) : sliced();
  }
  // The same if that is a matter of course: it is no slice and has no fault. Null if not.
  [[nodiscard]] device::Buffer* plain_buffer() {
    return whole_ == nullptr && !suspect_ ? buffer_.get() : nullptr;
  }
  // For copies. Requires: no fault.
  [[nodiscard]] device::Part part() { return {root().buffer_.get(), offset_, bytes()}; }

  // Why it cannot be used, if it cannot: no memory, a failed call was to write it, the host has it.
  // `overwritten`: it does not matter what it held.
  [[nodiscard]] Kept fault(bool overwritten) {
    return root().suspect_ ? root().find_fault(overwritten) : nullptr;
  }
  // A call that was to write it failed.
  void spoil(const Kept& why);
  // It was written as a whole.
  void heal() {
    if (root().suspect_ && bytes() == root().bytes()) root().heal_whole();
  }

  [[nodiscard]] Result<std::span<std::byte>> map();
  Result<void> unmap(std::span<std::byte> memory);

 private:
  [[nodiscard]] ArrayState& root() { return whole_ == nullptr ? *this : whole_->root(); }
  [[nodiscard]] Kept find_fault(bool overwritten);
  void heal_whole();
  [[nodiscard]] Result<device::Buffer*> sliced();
  void break_down(Error error);

  Context context_;
  Scalar scalar_;
  Extents extents_;
  std::shared_ptr<ArrayState> whole_;  // of a slice
  std::size_t offset_ = 0;             // in the root, in bytes

  std::mutex mutex_;
  std::unique_ptr<device::Buffer> buffer_;  // of a slice: made for the first kernel
  std::atomic<bool> suspect_ = false;       // one of the three that follow
  Kept broken_;                             // for good
  Kept spoiled_;                            // until it is written
  std::size_t mapped_ = 0;
};

}  // namespace vyre::detail
