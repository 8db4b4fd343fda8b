// Owners of OpenCL objects: released once, moved, never copied.
#pragma once

#include <utility>

#include "device/opencl_api.h"

namespace vyre::device {

template <class Raw, auto Release>
class OpenclHandle {
 public:
  OpenclHandle() = default;
  explicit OpenclHandle(Raw raw) : raw_(raw) {}
  OpenclHandle(OpenclHandle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  OpenclHandle& operator=(OpenclHandle&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  OpenclHandle(const OpenclHandle&) = delete;
  OpenclHandle& operator=(const OpenclHandle&) = delete;
  ~OpenclHandle() {
    if (raw_ != nullptr) (opencl().*Release)(raw_);
  }

  [[nodiscard]] Raw get() const { return raw_; }
  // Where a call puts the object it makes. Requires: empty.
  [[nodiscard]] Raw* out() { return &raw_; }

 private:
  Raw raw_ = nullptr;
};

using ContextHandle = OpenclHandle<cl_context, &OpenclApi::clReleaseContext>;
using QueueHandle = OpenclHandle<cl_command_queue, &OpenclApi::clReleaseCommandQueue>;
using ProgramHandle = OpenclHandle<cl_program, &OpenclApi::clReleaseProgram>;
using KernelHandle = OpenclHandle<cl_kernel, &OpenclApi::clReleaseKernel>;
using MemoryHandle = OpenclHandle<cl_mem, &OpenclApi::clReleaseMemObject>;
using EventHandle = OpenclHandle<cl_event, &OpenclApi::clReleaseEvent>;

}  // namespace vyre::device
