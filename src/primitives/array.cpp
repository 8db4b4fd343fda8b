#include "vyre/primitives/array.h"

#include <fmt/format.h>

#include <utility>

namespace vyre::primitives {

Result<Array> Array::make(device::Device& device, std::string name, Scalar element,
                          std::uint32_t count) {
  auto buffer = device.allocate(count * storage_bytes(element));
  if (!buffer) return std::unexpected(buffer.error());
  Array made;
  made.device_ = &device;
  made.buffer_ = *std::move(buffer);
  made.name_ = std::move(name);
  made.element_ = element;
  made.count_ = count;
  return made;
}

Result<void> Array::check(Scalar element, std::size_t count) const {
  if (element != element_) {
    return fail(ErrorKind::input,
                fmt::format("{} holds {}, not {}", name_, name_of(element_), name_of(element)));
  }
  if (count != count_) {
    return fail(ErrorKind::input,
                fmt::format("{} has {} elements; it must have {}", name_, count, count_));
  }
  return {};
}

}  // namespace vyre::primitives
