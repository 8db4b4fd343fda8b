#include "device/opencl_device.h"

#include <fmt/format.h>

#include <chrono>
#include <typeinfo>
#include <utility>

#include "device/opencl_buffer.h"
#include "device/opencl_error.h"
#include "device/opencl_info.h"
#include "device/opencl_kernel.h"
#include "device/opencl_module.h"

namespace vyre::device {
namespace {

using Clock = std::chrono::steady_clock;

class OpenclDevice final : public Device {
 public:
  explicit OpenclDevice(OpenclOffer offer) : offer_(std::move(offer)) {}

  [[nodiscard]] Result<void> start();

  [[nodiscard]] const Adapter& adapter() const override { return offer_.adapter; }
  [[nodiscard]] emit::Language language() const override { return emit::Language::opencl_c; }
  [[nodiscard]] Result<std::unique_ptr<Module>> compile(const std::string& source) override {
    return build_opencl(*this, offer_, context_.get(), source);
  }
  [[nodiscard]] Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    return make_opencl_buffer(*this, context_.get(), bytes);
  }
  [[nodiscard]] Result<void> write(Buffer& to, std::span<const std::byte> from) override;
  [[nodiscard]] Result<void> read(std::span<std::byte> to, const Buffer& from) override;
  [[nodiscard]] Result<void> launch(Kernel& kernel, std::span<const Argument> arguments,
                                    const ir::Shape& shape) override;
  [[nodiscard]] Result<Timing> time(Kernel& kernel, std::span<const Argument> arguments,
                                    const ir::Shape& shape) override;

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
                                  const ir::Shape& shape) {
  OpenclKernel* own = own_kernel(kernel);
  if (own == nullptr) return not_own_kernel();
  if (auto ready = own->prepare(arguments, shape); !ready) return ready;
  cl_int code = own->enqueue(queue_.get(), nullptr);
  if (code == CL_SUCCESS) code = opencl().finish(queue_.get());
  if (code != CL_SUCCESS) return own->failure(code);
  return {};
}

// The event's own duration, or the error code with which its command ended.
std::expected<std::uint64_t, cl_int> duration(cl_event event) {
  const OpenclApi& cl = opencl();
  cl_int status = CL_COMPLETE;
  cl_int code =
      cl.get_event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  if (code != CL_SUCCESS || status < 0) return std::unexpected(code != CL_SUCCESS ? code : status);
  cl_ulong start = 0;
  cl_ulong end = 0;
  code = cl.get_event_profiling_info(event, CL_PROFILING_COMMAND_START, sizeof(start), &start,
                                     nullptr);
  if (code == CL_SUCCESS) {
    code = cl.get_event_profiling_info(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr);
  }
  if (code != CL_SUCCESS) return std::unexpected(code);
  return end > start ? end - start : 0;
}

Result<Timing> OpenclDevice::time(Kernel& kernel, std::span<const Argument> arguments,
                                  const ir::Shape& shape) {
  OpenclKernel* own = own_kernel(kernel);
  if (own == nullptr) return not_own_kernel();
  if (auto ready = own->prepare(arguments, shape); !ready) return std::unexpected(ready.error());
  EventHandle event;
  const auto begin = Clock::now();
  cl_int code = own->enqueue(profiled_.get(), event.out());
  if (code == CL_SUCCESS) code = opencl().finish(profiled_.get());
  const auto wall = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
  if (code != CL_SUCCESS) return own->failure(code);
  const auto took = duration(event.get());
  if (!took) return own->failure(took.error());
  return Timing{.device_ns = *took, .wall_ns = static_cast<std::uint64_t>(wall.count())};
}

}  // namespace

Result<std::unique_ptr<Device>> open_opencl(OpenclOffer offer) {
  auto device = std::make_unique<OpenclDevice>(std::move(offer));
  if (auto started = device->start(); !started) return std::unexpected(started.error());
  return device;
}

}  // namespace vyre::device
