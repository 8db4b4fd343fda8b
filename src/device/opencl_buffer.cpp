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

OpenclBuffer::OpenclBuffer(const Device& owner, MemoryHandle guarded, MemoryHandle memory,
                           std::size_t bytes)
    : owner_(&owner),
      guarded_(std::move(guarded)),
      memory_(std::move(memory)),
      bytes_(bytes),
      serial_(next_serial()) {}

Result<std::unique_ptr<Buffer>> make_opencl_buffer(const Device& owner, cl_context context,
                                                   std::size_t bytes, bool guarded) {
  const std::uint64_t limit = owner.adapter().limits.max_buffer_bytes;
  const std::size_t around = guarded ? 2 * guard_bytes : 0;
  if (bytes > limit || around > limit - bytes) {
    return fail(ErrorKind::limit,
                fmt::format("a buffer of {} bytes is too large for {}: it allows {} in one buffer",
                            bytes + around, owner.adapter().name, limit));
  }
  cl_int code = CL_SUCCESS;
  // OpenCL has no empty buffers.
  const std::size_t used = std::max<std::size_t>(bytes, 1);
  MemoryHandle whole(
      opencl().create_buffer(context, CL_MEM_READ_WRITE, used + around, nullptr, &code));
  MemoryHandle middle;
  if (code == CL_SUCCESS && guarded) {
    const cl_buffer_region region = {guard_bytes, used};
    middle = MemoryHandle(opencl().create_sub_buffer(whole.get(), CL_MEM_READ_WRITE,
                                                     CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  }
  if (code != CL_SUCCESS) {
    return opencl_failure(fmt::format("allocating {} bytes on {}", bytes, owner.adapter().name),
                          code);
  }
  if (!guarded) std::swap(whole, middle);
  return std::make_unique<OpenclBuffer>(owner, std::move(whole), std::move(middle), bytes);
}

const OpenclBuffer* own_buffer(const Device& owner, const Buffer* buffer) {
  if (buffer == nullptr || typeid(*buffer) != typeid(OpenclBuffer)) return nullptr;
  const auto* own = static_cast<const OpenclBuffer*>(buffer);
  return own->owner() == &owner ? own : nullptr;
}

}  // namespace vyre::device
