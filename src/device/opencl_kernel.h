// A kernel on an OpenCL device, with the arguments and the shape of its last launch.
//
// Launching the same kernel again costs little more than the driver's own call: arguments that did
// not change are not set again, and a shape is checked once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/opencl_api.h"
#include "device/opencl_platform.h"
#include "vyre/device/device.h"

namespace vyre::device {

class OpenclKernel final : public Kernel {
 public:
  // Refuses an entry that the program does not have, and a kernel that needs more shared memory
  // than the device has.
  [[nodiscard]] static Result<std::unique_ptr<Kernel>> create(const Device& owner,
                                                              const OpenclDeviceInfo& info,
                                                              cl_program program,
                                                              std::string_view entry);

  // Checks and sets what changed since the last launch.
  [[nodiscard]] Result<void> prepare(std::span<const Argument> arguments, const Shape& shape);
  // The driver's own code. Requires: prepared. `event` may be null.
  [[nodiscard]] cl_int enqueue(cl_command_queue queue, cl_event* event) const {
    return opencl().enqueue_nd_range_kernel(queue, kernel_.get(), dims_, nullptr, global_.data(),
                                            local_.data(), 0, nullptr, event);
  }
  // Launches as often as asked and waits for the last. Requires: prepared, and a queue that has
  // profiling.
  [[nodiscard]] Result<Timing> time(cl_command_queue queue, const TimeOptions& options) const;
  // A failure of a command of this kernel.
  [[nodiscard]] Failure failure(cl_int code) const;

  [[nodiscard]] const Device* owner() const { return owner_; }

 private:
  // What an argument was last set to: a buffer's serial or a scalar's bits.
  struct Bound {
    std::uint64_t value = 0;
    int kind = unset;
    bool operator==(const Bound&) const = default;
  };
  static constexpr int unset = -1;
  static constexpr int a_buffer = -2;

  [[nodiscard]] Result<void> fit(const Shape& shape);
  [[nodiscard]] Result<void> check_kernel_limits(const Shape& shape) const;
  // What the argument is to be set to; unset if it is a buffer of another device.
  [[nodiscard]] Bound bound_by(const Argument& argument) const;
  [[nodiscard]] Result<void> bind(std::uint32_t index, Bound wanted, const Argument& argument);
  [[nodiscard]] Result<void> set(std::uint32_t index, Bound bound, std::size_t bytes,
                                 const void* value);

  const Device* owner_ = nullptr;
  std::string entry_;
  KernelHandle kernel_;
  std::uint32_t address_bits_ = 64;
  bool has_clock_ = true;
  std::size_t max_workgroup_ = 0;             // of this kernel: registers may bring it down
  std::array<std::size_t, 3> required_ = {};  // by the source; zeros if it requires none
  std::vector<Bound> bound_;                  // as many as the kernel has arguments
  Shape shape_ = {.workgroup = {0, 0, 0}};    // of the last launch; at first one that is illegal
  std::array<std::size_t, 3> global_ = {}, local_ = {};
  cl_uint dims_ = 1;
};

// The kernel as one of this device's; refused if another device made it.
[[nodiscard]] Result<OpenclKernel*> own_kernel(const Device& owner, Kernel& kernel);

}  // namespace vyre::device
