// Numbers on a device: a buffer that knows its name, element type and count, so that a span of the
// wrong length is refused by name and with the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/type.h"

namespace vyre::primitives {

// The scalar that a C++ number is on a device.
template <class T>
inline constexpr Scalar scalar_of = Scalar::unknown;
template <>
inline constexpr Scalar scalar_of<float> = Scalar::f32;
template <>
inline constexpr Scalar scalar_of<double> = Scalar::f64;
template <>
inline constexpr Scalar scalar_of<std::int32_t> = Scalar::i32;
template <>
inline constexpr Scalar scalar_of<std::uint32_t> = Scalar::u32;

// Move-only; must not outlive its device. Copying to and from it allocates nothing.
class Array {
 public:
  [[nodiscard]] static Result<Array> make(device::Device& device, std::string name, Scalar element,
                                          std::uint32_t count);

  // Both refuse another length and another type.
  template <class T>
  [[nodiscard]] Result<void> write(std::span<const T> from) {
    if (auto fits = check(scalar_of<T>, from.size()); !fits) return fits;
    return device_->write(*buffer_, std::as_bytes(from));
  }
  template <class T>
  [[nodiscard]] Result<void> read(std::span<T> to) const {
    if (auto fits = check(scalar_of<T>, to.size()); !fits) return fits;
    return device_->read(std::as_writable_bytes(to), *buffer_);
  }

  // Whether this many elements of this type would be taken.
  [[nodiscard]] Result<void> check(Scalar element, std::size_t count) const;

  [[nodiscard]] device::Buffer* buffer() const { return buffer_.get(); }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  device::Device* device_ = nullptr;
  std::unique_ptr<device::Buffer> buffer_;
  std::string name_;
  Scalar element_ = Scalar::f32;
  std::uint32_t count_ = 0;
};

}  // namespace vyre::primitives
