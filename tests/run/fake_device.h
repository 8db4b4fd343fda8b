// A device that does nothing and can be given any limits.
#pragma once

#include "vyre/device/device.h"

namespace vyre::testing {

class FakeDevice final : public device::Device {
 public:
  explicit FakeDevice(device::Limits limits) { adapter_ = {.name = "fake", .limits = limits}; }

  int compiled = 0;
  int launched = 0;

  [[nodiscard]] const device::Adapter& adapter() const override { return adapter_; }
  [[nodiscard]] Language language() const override { return Language::opencl_c; }
  [[nodiscard]] Result<std::unique_ptr<device::Module>> compile(const std::string&,
                                                                const std::string&) override {
    ++compiled;
    return std::make_unique<Module>();
  }
  [[nodiscard]] Result<std::unique_ptr<device::Buffer>> allocate(std::size_t bytes) override {
    return std::make_unique<Buffer>(bytes);
  }
  [[nodiscard]] Result<std::unique_ptr<device::Buffer>> allocate_guarded(
      std::size_t bytes) override {
    return allocate(bytes);
  }
  [[nodiscard]] Result<std::optional<device::Touched>> check_guards(device::Buffer&) override {
    return std::nullopt;
  }
  [[nodiscard]] Result<void> write(device::Buffer&, std::span<const std::byte>) override {
    return {};
  }
  [[nodiscard]] Result<void> read(std::span<std::byte>, const device::Buffer&) override {
    return {};
  }
  [[nodiscard]] Result<void> launch(device::Kernel&, std::span<const device::Argument>,
                                    const Shape&) override {
    ++launched;
    return {};
  }
  [[nodiscard]] Result<device::Timing> time(device::Kernel&, std::span<const device::Argument>,
                                            const Shape&, const device::TimeOptions&) override {
    ++launched;
    return device::Timing{};
  }

 private:
  struct Buffer final : device::Buffer {
    explicit Buffer(std::size_t size) : length(size) {}
    [[nodiscard]] std::size_t bytes() const override { return length; }
    std::size_t length;
  };
  struct Kernel final : device::Kernel {};
  struct Module final : device::Module {
    [[nodiscard]] Result<std::unique_ptr<device::Kernel>> kernel(std::string_view) override {
      return std::make_unique<Kernel>();
    }
  };

  device::Adapter adapter_;
};

}  // namespace vyre::testing
