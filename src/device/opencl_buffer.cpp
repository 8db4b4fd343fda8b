#include "device/opencl_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <typeinfo>
#include <utility>

#include "device/opencl_error.h"

namespace vyre::device {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> serial = 0;
  return ++serial;
}

}  // namespace

OpenclBuffer::OpenclBuffer(const Device& owner, MemoryHandle memory, std::size_t bytes)
    : owner_(&owner), memory_(std::move(memory)), bytes_(bytes), serial_(next_serial()) {}

Result<std::unique_ptr<Buffer>> make_opencl_buffer(const Device& owner, cl_context context,
                                                   std::size_t bytes) {
  const std::uint64_t limit = owner.adapter().limits.max_buffer_bytes;
  if (bytes > limit) {
    return fail(ErrorKind::input,
                fmt::format("a buffer of {} bytes is too large for {}: it allows {} in one buffer",
                            bytes, owner.adapter().name, limit));
  }
  cl_int code = CL_SUCCESS;
  // OpenCL has no empty buffers.
  MemoryHandle memory(opencl().clCreateBuffer(context, CL_MEM_READ_WRITE,
                                              std::max<std::size_t>(bytes, 1), nullptr, &code));
  if (code != CL_SUCCESS) {
    return opencl_failure(fmt::format("allocating {} bytes on {}", bytes, owner.adapter().name),
                          code);
  }
  return std::make_unique<OpenclBuffer>(owner, std::move(memory), bytes);
}

const OpenclBuffer* own_buffer(const Device& owner, const Buffer* buffer) {
  if (buffer == nullptr || typeid(*buffer) != typeid(OpenclBuffer)) return nullptr;
  const auto* own = static_cast<const OpenclBuffer*>(buffer);
  return own->owner() == &owner ? own : nullptr;
}

}  // namespace vyre::device
