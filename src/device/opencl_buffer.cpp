#include "device/opencl_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <typeinfo>
#include <utility>

#include "device/opencl_error.h"

namespace vyre::device {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> serial = 0;
  return ++serial;
}

using Zone = std::array<std::byte, guard_bytes>;

// Every byte differs from its neighbours: no common value, stored at any width, looks the same.
constexpr std::byte pattern(std::size_t i) { return static_cast<std::byte>((i * 73 + 41) & 0xffU); }

const Zone& untouched() {
  static const Zone zone = [] {
    Zone made{};
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = pattern(i);
    return made;
  }();
  return zone;
}

std::size_t after(const OpenclBuffer& buffer) {
  return guard_bytes + std::max<std::size_t>(buffer.bytes(), 1);
}

struct Zones {
  Zone before, behind;
};

// Waits once for both.
Result<Zones> read_zones(cl_command_queue queue, const OpenclBuffer& buffer) {
  Zones zones{};
  const auto read = [&](Zone& zone, std::size_t offset) {
    return opencl().enqueue_read_buffer(queue, buffer.guarded(), CL_FALSE, offset, zone.size(),
                                        zone.data(), 0, nullptr, nullptr);
  };
  cl_int code = read(zones.before, 0);
  if (code == CL_SUCCESS) code = read(zones.behind, after(buffer));
  const cl_int finished = opencl().finish(queue);
  if (code == CL_SUCCESS) code = finished;
  if (code != CL_SUCCESS) return opencl_failure("reading the guards of a buffer", code);
  return zones;
}

}  // namespace

OpenclBuffer::OpenclBuffer(const Device& owner, MemoryHandle guarded, MemoryHandle memory,
                           std::size_t bytes)
    : owner_(&owner),
      guarded_(std::move(guarded)),
      memory_(std::move(memory)),
      bytes_(bytes),
      serial_(next_serial()) {}

namespace {

Result<void> check_room(const Device& owner, std::size_t bytes, std::size_t around) {
  const std::uint64_t limit = owner.adapter().limits.max_buffer_bytes;
  if (bytes <= limit && around <= limit - bytes) return {};
  return fail(ErrorKind::limit,
              fmt::format("a buffer of {} bytes is too large for {}: it allows {} in one buffer",
                          bytes + around, owner.adapter().name, limit));
}

Failure cannot_allocate(const Device& owner, std::size_t bytes, cl_int code) {
  return opencl_failure(fmt::format("allocating {} bytes on {}", bytes, owner.adapter().name),
                        code);
}

}  // namespace

Result<std::unique_ptr<Buffer>> make_opencl_buffer(const Device& owner, cl_context context,
                                                   std::span<const std::byte> content) {
  if (content.empty()) return make_opencl_buffer(owner, context, 0);
  VYRE_CHECK(check_room(owner, content.size(), 0));
  cl_int code = CL_SUCCESS;
  // The driver reads what it is given here and never writes to it.
  MemoryHandle memory(opencl().create_buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                             content.size(), const_cast<std::byte*>(content.data()),
                                             &code));
  if (code != CL_SUCCESS) return cannot_allocate(owner, content.size(), code);
  return std::make_unique<OpenclBuffer>(owner, MemoryHandle(), std::move(memory), content.size());
}

Result<std::unique_ptr<Buffer>> make_opencl_slice(const Device& owner, const OpenclBuffer& whole,
                                                  std::size_t offset, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  const cl_buffer_region region = {offset, bytes};
  MemoryHandle memory(opencl().create_sub_buffer(whole.memory(), CL_MEM_READ_WRITE,
                                                 CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  if (code != CL_SUCCESS) {
    return opencl_failure(fmt::format("making a slice of {} bytes at {} of a buffer of {}", bytes,
                                      offset, whole.bytes()),
                          code);
  }
  auto made = std::make_unique<OpenclBuffer>(owner, MemoryHandle(), std::move(memory), bytes);
  made->set_slice_of(whole, offset);
  return made;
}

Result<std::unique_ptr<Buffer>> make_opencl_buffer(const Device& owner, cl_context context,
                                                   std::size_t bytes, bool guarded) {
  const std::size_t around = guarded ? 2 * guard_bytes : 0;
  VYRE_CHECK(check_room(owner, bytes, around));
  cl_int code = CL_SUCCESS;
  // OpenCL has no empty buffers, and guarded loads may look at the first element.
  const std::size_t used = std::max(bytes, sizeof(double));
  MemoryHandle whole(
      opencl().create_buffer(context, CL_MEM_READ_WRITE, used + around, nullptr, &code));
  MemoryHandle middle;
  if (code == CL_SUCCESS && guarded) {
    const cl_buffer_region region = {guard_bytes, used};
    middle = MemoryHandle(opencl().create_sub_buffer(whole.get(), CL_MEM_READ_WRITE,
                                                     CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  }
  if (code != CL_SUCCESS) {
    return cannot_allocate(owner, bytes, code);
  }
  if (!guarded) std::swap(whole, middle);
  return std::make_unique<OpenclBuffer>(owner, std::move(whole), std::move(middle), bytes);
}

const OpenclBuffer* own_buffer(const Device& owner, const Buffer* buffer) {
  if (buffer == nullptr || typeid(*buffer) != typeid(OpenclBuffer)) return nullptr;
  const auto* own = static_cast<const OpenclBuffer*>(buffer);
  return own->owner() == &owner ? own : nullptr;
}

Result<void> lay_guards(cl_command_queue queue, const OpenclBuffer& buffer) {
  for (const std::size_t offset : {std::size_t{0}, after(buffer)}) {
    const cl_int code =
        opencl().enqueue_write_buffer(queue, buffer.guarded(), CL_TRUE, offset, guard_bytes,
                                      untouched().data(), 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return opencl_failure("writing the guard of a buffer", code);
  }
  return {};
}

Result<std::optional<Touched>> find_touched(cl_command_queue queue, const OpenclBuffer& buffer) {
  const auto zones = read_zones(queue, buffer);
  if (!zones) return Unexpected(zones.error());
  const Zone& behind = zones->behind;
  if (const auto at = std::ranges::mismatch(behind, untouched()).in1; at != behind.end()) {
    return Touched{static_cast<std::int64_t>(after(buffer) - guard_bytes) + (at - behind.begin())};
  }
  for (std::size_t i = guard_bytes; i-- > 0;) {
    if (zones->before[i] != untouched()[i]) {
      return Touched{static_cast<std::int64_t>(i) - static_cast<std::int64_t>(guard_bytes)};
    }
  }
  return std::nullopt;
}

}  // namespace vyre::device
