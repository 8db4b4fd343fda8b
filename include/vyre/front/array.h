// Numbers on a device.
//
//   vyre::Array<float> u = gpu.array(start);           // from a vector, a span, a std::array
//   auto v = gpu.array<float>({h, w});                 // zeros, up to three dimensions
//   u.fill(0);  u.slice(0, 100).assign(host);  auto all = u.to_host();
//
// An Array is a handle: copies share the numbers, and what it needs of its context lives as long as
// it does. Array<const T> only reads; every Array<T> is one. Any number of threads may use one.
//
// What writes is enqueued and returns at once; what reads waits. An array whose memory could not be
// had, or that a failed call was to write, holds that error: whoever reads it gets it, until it is
// written as a whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/base/launch.h"
#include "vyre/front/event.h"

namespace vyre {

// One to three extents, the slowest first: {rows, columns}.
class Extents {
 public:
  Extents() = default;  // as the host's data: one dimension
  template <class... N>
    requires(sizeof...(N) > 0 && (std::is_integral_v<N> && ...))
  Extents(N... extents)  // NOLINT(google-explicit-constructor)
      : Extents(std::span<const std::size_t>(
            std::array<std::size_t, sizeof...(N)>{static_cast<std::size_t>(extents)...})) {}

  // 0 if nothing was said; 4 if too many were.
  [[nodiscard]] std::size_t dims() const { return dims_; }
  [[nodiscard]] std::size_t operator[](std::size_t dim) const { return of_[dim]; }
  // The product; an overflow gives the largest number there is.
  [[nodiscard]] std::size_t count() const;
  bool operator==(const Extents&) const = default;

 private:
  explicit Extents(std::span<const std::size_t> extents);

  std::array<std::size_t, 3> of_ = {0, 1, 1};
  std::size_t dims_ = 0;
};

namespace detail {

class ArrayState;
class ContextState;

// What arrays of every type share.
class AnyArray {
 public:
  AnyArray() = default;
  explicit AnyArray(std::shared_ptr<ArrayState> state) : state_(std::move(state)) {}

  [[nodiscard]] std::size_t size() const { return extents().count(); }
  // Extents{} of an array that was never made.
  [[nodiscard]] const Extents& extents() const;
  // Whether there is memory behind it and no error in it.
  [[nodiscard]] Result<void> check() const;
  [[nodiscard]] const std::shared_ptr<ArrayState>& state() const { return state_; }

 protected:
  [[nodiscard]] AnyArray slice_of(std::size_t first, std::size_t count) const;
  Event assign_bytes(std::span<const std::byte> from) const;
  Event fill_bytes(std::span<const std::byte> pattern) const;
  [[nodiscard]] Result<void> read_bytes(std::span<std::byte> to) const;

 private:
  std::shared_ptr<ArrayState> state_;
};

}  // namespace detail

template <class T>
class Array;

// An array's memory while the host has it: a contiguous range. Calls that are given the array
// meanwhile are refused. Given back by unmap() or at the end of its life.
template <class T>
class Mapped {
 public:
  Mapped() = default;
  Mapped(Mapped&& other) noexcept
      : state_(std::move(other.state_)), memory_(std::exchange(other.memory_, {})) {}
  Mapped& operator=(Mapped&& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Mapped() { (void)unmap(); }

  Result<void> unmap();
  [[nodiscard]] T* data() const { return memory_.data(); }
  [[nodiscard]] std::size_t size() const { return memory_.size(); }
  [[nodiscard]] T* begin() const { return memory_.data(); }
  [[nodiscard]] T* end() const { return memory_.data() + memory_.size(); }
  [[nodiscard]] T& operator[](std::size_t index) const { return memory_[index]; }

 private:
  friend class Array<T>;
  std::shared_ptr<detail::ArrayState> state_;
  std::span<T> memory_;
};

template <class T>
class Array<const T> : public detail::AnyArray {
  static_assert(scalar_of<T> != Scalar::unknown,
                "an array holds float, double, bool, vyre::Half or integers of 8 to 64 bits");

 public:
  using value_type = T;  // NOLINT(readability-identifier-naming): as the standard's
  // std::vector<bool> holds no bools.
  using Host = std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>;

  Array() = default;
  explicit Array(AnyArray any) : AnyArray(std::move(any)) {}

  // Elements from `first` on, of the same memory. One that leaves the array holds that error.
  [[nodiscard]] Array slice(std::size_t first, std::size_t count) const {
    return Array(slice_of(first, count));
  }
  // Waits for everything before it.
  [[nodiscard]] Result<Host> to_host() const {
    if (auto good = check(); !good) return Failure(std::move(good).error());
    Host host(size());
    if (auto done = read_bytes(std::as_writable_bytes(std::span(host))); !done) {
      return Failure(std::move(done).error());
    }
    return host;
  }
  [[nodiscard]] Result<void> to_host(std::span<T> host) const {
    return read_bytes(std::as_writable_bytes(host));
  }
};

template <class T>
class Array : public Array<const T> {
 public:
  Array() = default;
  explicit Array(detail::AnyArray any) : Array<const T>(std::move(any)) {}

  [[nodiscard]] Array slice(std::size_t first, std::size_t count) const {
    return Array(this->slice_of(first, count));
  }
  // The host's numbers are copied before it returns.
  Event assign(std::span<const T> host) const { return this->assign_bytes(std::as_bytes(host)); }
  Event fill(T value) const {
    return this->fill_bytes(std::as_bytes(std::span<const T>(&value, 1)));
  }
  // Waits for everything before it.
  [[nodiscard]] Result<Mapped<T>> map() const;
};

namespace detail {
[[nodiscard]] Result<std::span<std::byte>> map_array(ArrayState& state);
Result<void> unmap_array(ArrayState& state, std::span<std::byte> memory);
}  // namespace detail

template <class T>
Result<Mapped<T>> Array<T>::map() const {
  if (auto good = this->check(); !good) return Failure(std::move(good).error());
  auto bytes = detail::map_array(*this->state());
  if (!bytes) return Failure(std::move(bytes).error());
  Mapped<T> made;
  made.state_ = this->state();
  made.memory_ = {reinterpret_cast<T*>(bytes->data()), this->size()};
  return made;
}

template <class T>
Result<void> Mapped<T>::unmap() {
  if (state_ == nullptr) return {};
  const auto state = std::exchange(state_, nullptr);
  return detail::unmap_array(*state, std::as_writable_bytes(std::exchange(memory_, {})));
}

}  // namespace vyre
