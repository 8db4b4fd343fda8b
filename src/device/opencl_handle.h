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

using ContextHandle = OpenclHandle<cl_context, &OpenclApi::release_context>;
using QueueHandle = OpenclHandle<cl_command_queue, &OpenclApi::release_command_queue>;
using ProgramHandle = OpenclHandle<cl_program, &OpenclApi::release_program>;
using KernelHandle = OpenclHandle<cl_kernel, &OpenclApi::release_kernel>;
using MemoryHandle = OpenclHandle<cl_mem, &OpenclApi::release_mem_object>;
using EventHandle = OpenclHandle<cl_event, &OpenclApi::release_event>;

}  // namespace vyre::device
