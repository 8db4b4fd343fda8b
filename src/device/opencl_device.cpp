#include "device/opencl_device.h"

#include <fmt/format.h>

#include <typeinfo>
#include <utility>

#include "base/check.h"
#include "device/opencl_buffer.h"
#include "device/opencl_error.h"
#include "device/opencl_guard.h"
#include "device/opencl_info.h"
#include "device/opencl_kernel.h"
#include "device/opencl_module.h"
#include "device/opencl_timing.h"

namespace vyre::device {
namespace {

class OpenclDevice final : public Device {
 public:
  explicit OpenclDevice(OpenclOffer offer) : offer_(std::move(offer)) {}

  [[nodiscard]] Result<void> start();

  [[nodiscard]] const Adapter& adapter() const override { return offer_.adapter; }
  [[nodiscard]] Language language() const override { return Language::opencl_c; }
  [[nodiscard]] Result<std::unique_ptr<Module>> compile(const std::string& source,
                                                        const std::string& options) override {
    return build_opencl(*this, offer_, context_.get(), source, options);
  }
  [[nodiscard]] Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    return make_opencl_buffer(*this, context_.get(), bytes);
  }
  [[nodiscard]] Result<std::unique_ptr<Buffer>> allocate_guarded(std::size_t bytes) override;
  [[nodiscard]] Result<std::optional<Touched>> check_guards(Buffer& buffer) override;
  [[nodiscard]] Result<void> write(Buffer& to, std::span<const std::byte> from) override;
  [[nodiscard]] Result<void> read(std::span<std::byte> to, const Buffer& from) override;
  [[nodiscard]] Result<void> launch(Kernel& kernel, std::span<const Argument> arguments,
                                    const Shape& shape) override;
  [[nodiscard]] Result<Timing> time(Kernel& kernel, std::span<const Argument> arguments,
                                    const Shape& shape, const TimeOptions& options) override;

 private:
  [[nodiscard]] OpenclKernel* own_kernel(Kernel& kernel) const;
  [[nodiscard]] std::unexpected<Error> not_own_kernel() const;
  [[nodiscard]] Result<const OpenclBuffer*> own_for_copy(const Buffer& buffer,
                                                         std::size_t host_bytes) const;
  [[nodiscard]] QueueHandle queue(cl_command_queue_properties properties, cl_int& code) const;

  OpenclOffer offer_;
  ContextHandle context_;
  // Both are in order, and every call waits for its end: no command ever overtakes another.
  QueueHandle queue_;
  QueueHandle profiled_;  // its own, because a driver may pay for profiling at every command
};

QueueHandle OpenclDevice::queue(cl_command_queue_properties properties, cl_int& code) const {
  return QueueHandle(
      opencl().create_command_queue(context_.get(), offer_.device, properties, &code));
}

Result<void> OpenclDevice::start() {
  cl_int code = CL_SUCCESS;
  context_ =
      ContextHandle(opencl().create_context(nullptr, 1, &offer_.device, nullptr, nullptr, &code));
  if (code == CL_SUCCESS) queue_ = queue(0, code);
  if (code == CL_SUCCESS) profiled_ = queue(CL_QUEUE_PROFILING_ENABLE, code);
  if (code != CL_SUCCESS) return opencl_failure("opening " + offer_.adapter.name, code);
  return {};
}

Result<const OpenclBuffer*> OpenclDevice::own_for_copy(const Buffer& buffer,
                                                       std::size_t host_bytes) const {
  const OpenclBuffer* own = own_buffer(*this, &buffer);
  if (own == nullptr) {
    return fail(ErrorKind::input, "the buffer belongs to another device than " + adapter().name);
  }
  if (own->bytes() != host_bytes) {
    return fail(ErrorKind::input, fmt::format("the buffer has {} bytes and the host memory {}",
                                              own->bytes(), host_bytes));
  }
  return own;
}

Result<std::unique_ptr<Buffer>> OpenclDevice::allocate_guarded(std::size_t bytes) {
  auto made = make_opencl_buffer(*this, context_.get(), bytes, true);
  if (!made) return made;
  const auto laid = lay_guards(queue_.get(), static_cast<const OpenclBuffer&>(**made));
  if (!laid) return std::unexpected(laid.error());
  return made;
}

Result<std::optional<Touched>> OpenclDevice::check_guards(Buffer& buffer) {
  const OpenclBuffer* own = own_buffer(*this, &buffer);
  check(own != nullptr && own->guarded() != nullptr, "guards are checked where there are some");
  auto touched = find_touched(queue_.get(), *own);
  if (!touched || !*touched) return touched;
  if (auto laid = lay_guards(queue_.get(), *own); !laid) return std::unexpected(laid.error());
  return touched;
}

Result<void> OpenclDevice::write(Buffer& to, std::span<const std::byte> from) {
  const auto own = own_for_copy(to, from.size());
  if (!own) return std::unexpected(own.error());
  if (from.empty()) return {};
  const cl_int code = opencl().enqueue_write_buffer(queue_.get(), (*own)->memory(), CL_TRUE, 0,
                                                    from.size(), from.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return opencl_failure(fmt::format("writing {} bytes to the device", from.size()), code);
  }
  return {};
}

Result<void> OpenclDevice::read(std::span<std::byte> to, const Buffer& from) {
  const auto own = own_for_copy(from, to.size());
  if (!own) return std::unexpected(own.error());
  if (to.empty()) return {};
  const cl_int code = opencl().enqueue_read_buffer(queue_.get(), (*own)->memory(), CL_TRUE, 0,
                                                   to.size(), to.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return opencl_failure(fmt::format("reading {} bytes from the device", to.size()), code);
  }
  return {};
}

// Null if another device made it.
OpenclKernel* OpenclDevice::own_kernel(Kernel& kernel) const {
  if (typeid(kernel) != typeid(OpenclKernel)) return nullptr;
  auto& own = static_cast<OpenclKernel&>(kernel);
  return own.owner() == this ? &own : nullptr;
}

std::unexpected<Error> OpenclDevice::not_own_kernel() const {
  return fail(ErrorKind::input, "the kernel belongs to another device than " + adapter().name);
}

Result<void> OpenclDevice::launch(Kernel& kernel, std::span<const Argument> arguments,
                                  const Shape& shape) {
  OpenclKernel* own = own_kernel(kernel);
  if (own == nullptr) return not_own_kernel();
  if (auto ready = own->prepare(arguments, shape); !ready) return ready;
  cl_int code = own->enqueue(queue_.get(), nullptr);
  if (code == CL_SUCCESS) code = opencl().finish(queue_.get());
  if (code != CL_SUCCESS) return own->failure(code);
  return {};
}

Result<Timing> OpenclDevice::time(Kernel& kernel, std::span<const Argument> arguments,
                                  const Shape& shape, const TimeOptions& options) {
  OpenclKernel* own = own_kernel(kernel);
  if (own == nullptr) return not_own_kernel();
  if (auto ready = own->prepare(arguments, shape); !ready) return std::unexpected(ready.error());
  return time_launches(*own, profiled_.get(), options, adapter().is_cpu);
}

}  // namespace

Result<std::unique_ptr<Device>> open_opencl(OpenclOffer offer) {
  auto device = std::make_unique<OpenclDevice>(std::move(offer));
  if (auto started = device->start(); !started) return std::unexpected(started.error());
  return device;
}

}  // namespace vyre::device
