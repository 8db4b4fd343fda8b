// Memory on an OpenCL device, and the guards around it: zones with a pattern that a write just out
// of bounds destroys.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "device/opencl_api.h"
#include "vyre/device/device.h"

namespace vyre::device {

class OpenclBuffer final : public Buffer {
 public:
  OpenclBuffer(const Device& owner, MemoryHandle guarded, MemoryHandle memory, std::size_t bytes);

  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] const Device* owner() const { return owner_; }
  [[nodiscard]] cl_mem memory() const { return memory_.get(); }
  // The memory with the guards around it; null if there are none.
  [[nodiscard]] cl_mem guarded() const { return guarded_.get(); }
  // A slice is a part of `whole`, from `offset` on; both keep the memory alive.
  void set_slice_of(const Buffer& whole, std::size_t offset) {
    whole_ = &whole;
    offset_ = offset;
  }
  [[nodiscard]] const Buffer& whole() const override { return whole_ == nullptr ? *this : *whole_; }
  [[nodiscard]] std::size_t offset() const override { return offset_; }
  // Different for every buffer ever made: a driver may give a new buffer the handle of a dead one.
  [[nodiscard]] std::uint64_t serial() const { return serial_; }

 private:
  const Device* owner_;
  MemoryHandle guarded_;  // released after the part of it that is used
  MemoryHandle memory_;
  std::size_t bytes_;
  std::uint64_t serial_;
  const Buffer* whole_ = nullptr;
  std::size_t offset_ = 0;
};

// Allocates, refusing what is over the device's limit with both numbers. With `guarded` the buffer
// is the middle of a larger one.
[[nodiscard]] Result<std::unique_ptr<Buffer>> make_opencl_buffer(const Device& owner,
                                                                 cl_context context,
                                                                 std::size_t bytes,
                                                                 bool guarded = false);

[[nodiscard]] Result<std::unique_ptr<Buffer>> make_opencl_buffer(
    const Device& owner, cl_context context, std::span<const std::byte> content);

[[nodiscard]] Result<std::unique_ptr<Buffer>> make_opencl_slice(const Device& owner,
                                                                const OpenclBuffer& whole,
                                                                std::size_t offset,
                                                                std::size_t bytes);

// The buffer as one of this device's, or null if another device made it.
[[nodiscard]] const OpenclBuffer* own_buffer(const Device& owner, const Buffer* buffer);

// Writes the pattern. Requires: the buffer is guarded; so for find_touched.
[[nodiscard]] Result<void> lay_guards(cl_command_queue queue, const OpenclBuffer& buffer);

// The destroyed byte nearest to the buffer, if there is one.
[[nodiscard]] Result<std::optional<Touched>> find_touched(cl_command_queue queue,
                                                          const OpenclBuffer& buffer);

}  // namespace vyre::device
