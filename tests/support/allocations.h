// Counts allocations, to show that a steady state makes none, and lets them fail. Only programs
// that are linked with allocations.cpp count: it replaces operator new.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "vyre/device/device.h"

namespace vyre::testing {

// Calls of operator new so far, by any thread.
[[nodiscard]] std::size_t host_allocations();

// Lets one call of operator new in this thread fail: the n-th from now on, as long as it lives.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t n);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  [[nodiscard]] bool has_failed() const;
};

// Another device that also counts the buffers it makes.
class CountingDevice final : public device::Device {
 public:
  explicit CountingDevice(std::unique_ptr<device::Device> device) : device_(std::move(device)) {}

  // Buffers made on the device and calls of operator new, together.
  [[nodiscard]] std::size_t allocations() const { return buffers_ + host_allocations(); }

  [[nodiscard]] const device::Adapter& adapter() const override { return device_->adapter(); }
  [[nodiscard]] Language language() const override { return device_->language(); }
  [[nodiscard]] Result<std::unique_ptr<device::Module>> compile(
      const std::string& text, const std::string& options) override {
    return device_->compile(text, options);
  }
  [[nodiscard]] Result<std::unique_ptr<device::Buffer>> allocate(std::size_t bytes) override {
    ++buffers_;
    return device_->allocate(bytes);
  }
  [[nodiscard]] Result<std::unique_ptr<device::Buffer>> allocate_guarded(
      std::size_t bytes) override {
    ++buffers_;
    return device_->allocate_guarded(bytes);
  }
  [[nodiscard]] Result<std::optional<device::Touched>> check_guards(
      device::Buffer& buffer) override {
    return device_->check_guards(buffer);
  }
  [[nodiscard]] Result<void> write(device::Buffer& to, std::span<const std::byte> from) override {
    return device_->write(to, from);
  }
  [[nodiscard]] Result<void> read(std::span<std::byte> to, const device::Buffer& from) override {
    return device_->read(to, from);
  }
  [[nodiscard]] Result<void> launch(device::Kernel& kernel,
                                    std::span<const device::Argument> arguments,
                                    const Shape& shape) override {
    return device_->launch(kernel, arguments, shape);
  }
  [[nodiscard]] Result<device::Timing> time(device::Kernel& kernel,
                                            std::span<const device::Argument> arguments,
                                            const Shape& shape,
                                            const device::TimeOptions& options) override {
    return device_->time(kernel, arguments, shape, options);
  }

 private:
  std::unique_ptr<device::Device> device_;
  std::size_t buffers_ = 0;
};

// Allocations made by the second and third of three calls.
template <class Call>
[[nodiscard]] std::size_t steady_allocations(const CountingDevice& device, const Call& call) {
  call();
  const std::size_t before = device.allocations();
  call();
  call();
  return device.allocations() - before;
}

}  // namespace vyre::testing
