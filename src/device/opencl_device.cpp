#include "device/opencl_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "device/opencl_buffer.h"
#include "device/opencl_error.h"
#include "device/opencl_event.h"
#include "device/opencl_kernel.h"
#include "device/opencl_queue.h"

namespace vyre::device {
namespace {

class OpenclModule final : public Module {
 public:
  OpenclModule(const Device& owner, const OpenclDeviceInfo& info, ProgramHandle program)
      : owner_(&owner), info_(&info), program_(std::move(program)) {}

  [[nodiscard]] Result<std::unique_ptr<Kernel>> kernel(std::string_view entry) override {
    return OpenclKernel::create(*owner_, *info_, program_.get(), entry);
  }

 private:
  const Device* owner_;
  const OpenclDeviceInfo* info_;  // the owner's
  ProgramHandle program_;
};

std::string log_of(cl_program program, cl_device_id device) {
  return text_info([=](std::size_t size, void* value, std::size_t* size_out) {
    return opencl().get_program_build_info(program, device, CL_PROGRAM_BUILD_LOG, size, value,
                                           size_out);
  });
}

// A compiler given two versions of the language may refuse both.
std::string all_options(std::string own, const std::string& more) {
  constexpr std::string_view version = "-cl-std=";
  const std::size_t at = own.find(version);
  if (at != std::string::npos && more.contains(version)) {
    own.erase(at, own.find(' ', at) - at);
  }
  return more.empty() ? own : own + " " + more;
}

// `options` follow the device's own, of which they may replace the language's version.
Result<std::unique_ptr<Module>> build_opencl(const Device& owner, const OpenclDeviceInfo& info,
                                             cl_context context, const std::string& source,
                                             const std::string& options) {
  const char* text = source.c_str();
  const std::size_t length = source.size();
  cl_int code = CL_SUCCESS;
  ProgramHandle program(opencl().create_program_with_source(context, 1, &text, &length, &code));
  if (code == CL_SUCCESS) {
    code =
        opencl().build_program(program.get(), 1, &info.device,
                               all_options(info.build_options, options).c_str(), nullptr, nullptr);
  }
  if (code != CL_SUCCESS) {
    const std::string log = program.get() == nullptr ? "" : log_of(program.get(), info.device);
    return fail(ErrorKind::compile, fmt::format("{} cannot compile the source: {}\n{}",
                                                info.adapter.name, opencl_error(code), log));
  }
  return std::make_unique<OpenclModule>(owner, info, std::move(program));
}

class OpenclDevice final : public Device {
 public:
  explicit OpenclDevice(OpenclDeviceInfo info) : info_(std::move(info)) {}

  [[nodiscard]] Result<void> start();

  [[nodiscard]] const Adapter& adapter() const override { return info_.adapter; }
  [[nodiscard]] Language language() const override { return Language::opencl_c; }
  [[nodiscard]] Result<std::unique_ptr<Module>> compile(const std::string& source,
                                                        const std::string& options) override {
    return build_opencl(*this, info_, context_.get(), source, options);
  }
  [[nodiscard]] Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    return make_opencl_buffer(*this, context_.get(), bytes);
  }
  [[nodiscard]] Result<std::unique_ptr<Buffer>> allocate_with(
      std::span<const std::byte> content) override {
    return make_opencl_buffer(*this, context_.get(), content);
  }
  [[nodiscard]] Result<std::unique_ptr<Buffer>> slice(Buffer& whole, std::size_t offset,
                                                      std::size_t bytes) override;
  [[nodiscard]] Result<std::unique_ptr<Queue>> make_queue(const QueueOptions& options) override;
  [[nodiscard]] Result<std::unique_ptr<Buffer>> allocate_guarded(std::size_t bytes) override;
  [[nodiscard]] Result<std::optional<Touched>> check_guards(Buffer& buffer) override;
  [[nodiscard]] Result<void> write(Buffer& to, std::span<const std::byte> from) override;
  [[nodiscard]] Result<void> read(std::span<std::byte> to, const Buffer& from) override;
  [[nodiscard]] Result<void> launch(Kernel& kernel, std::span<const Argument> arguments,
                                    const Shape& shape) override;
  [[nodiscard]] Result<Timing> time(Kernel& kernel, std::span<const Argument> arguments,
                                    const Shape& shape, const TimeOptions& options) override;

 private:
  [[nodiscard]] Result<const OpenclBuffer*> own_for_copy(const Buffer& buffer,
                                                         std::size_t host_bytes) const;
  [[nodiscard]] QueueHandle queue(cl_command_queue_properties properties, cl_int& code) const;

  OpenclDeviceInfo info_;
  ContextHandle context_;
  // In order, for every command but launches that are timed.
  QueueHandle queue_;
  // A driver may pay for profiling at every command, so timed launches have their own queue. What
  // one queue does, another sees only after a wait for it, and a blocking write is no such wait: it
  // returns when the host's memory may be reused. So this one starts when the other has finished,
  // and is empty between calls.
  QueueHandle profiled_;
};

QueueHandle OpenclDevice::queue(cl_command_queue_properties properties, cl_int& code) const {
  return QueueHandle(
      opencl().create_command_queue(context_.get(), info_.device, properties, &code));
}

Result<void> OpenclDevice::start() {
  cl_int code = CL_SUCCESS;
  context_ =
      ContextHandle(opencl().create_context(nullptr, 1, &info_.device, nullptr, nullptr, &code));
  if (code == CL_SUCCESS) queue_ = queue(0, code);
  if (code == CL_SUCCESS) profiled_ = queue(CL_QUEUE_PROFILING_ENABLE, code);
  if (code != CL_SUCCESS) return opencl_failure("opening " + info_.adapter.name, code);
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

Result<std::unique_ptr<Buffer>> OpenclDevice::slice(Buffer& whole, std::size_t offset,
                                                    std::size_t bytes) {
  VYRE_TRY(const OpenclBuffer* own, part_of(*this, {&whole, offset, bytes}));
  if (bytes == 0) return allocate(std::size_t{0});
  const auto bits = device_value<cl_uint>(info_.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
  const std::size_t alignment = std::max(1U, bits / 8);
  if (offset % alignment != 0) {
    return fail(ErrorKind::limit,
                fmt::format("a slice for a kernel begins at byte {}; {} wants a multiple of {}: "
                            "copy it to an array of its own",
                            offset, adapter().name, alignment));
  }
  return make_opencl_slice(*this, *own, offset, bytes);
}

Result<std::unique_ptr<Queue>> OpenclDevice::make_queue(const QueueOptions& options) {
  const auto make = [this](bool timed) -> Result<QueueHandle> {
    cl_int code = CL_SUCCESS;
    QueueHandle made = queue(timed ? CL_QUEUE_PROFILING_ENABLE : 0, code);
    if (code != CL_SUCCESS) return opencl_failure("making a queue of " + adapter().name, code);
    return made;
  };
  VYRE_TRY(auto first, make(options.timed));
  return make_opencl_queue(*this, std::move(first), options,
                           info_.has_clock ? OtherQueue([make] { return make(true); }) : nullptr);
}

Result<std::unique_ptr<Buffer>> OpenclDevice::allocate_guarded(std::size_t bytes) {
  auto made = make_opencl_buffer(*this, context_.get(), bytes, true);
  if (!made) return made;
  const auto laid = lay_guards(queue_.get(), static_cast<const OpenclBuffer&>(**made));
  if (!laid) return Unexpected(laid.error());
  return made;
}

Result<std::optional<Touched>> OpenclDevice::check_guards(Buffer& buffer) {
  const OpenclBuffer* own = own_buffer(*this, &buffer);
  check(own != nullptr && own->guarded() != nullptr, "guards are checked where there are some");
  auto touched = find_touched(queue_.get(), *own);
  if (!touched || !*touched) return touched;
  if (auto laid = lay_guards(queue_.get(), *own); !laid) return Unexpected(laid.error());
  return touched;
}

Result<void> OpenclDevice::write(Buffer& to, std::span<const std::byte> from) {
  const auto own = own_for_copy(to, from.size());
  if (!own) return Unexpected(own.error());
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
  if (!own) return Unexpected(own.error());
  if (to.empty()) return {};
  const cl_int code = opencl().enqueue_read_buffer(queue_.get(), (*own)->memory(), CL_TRUE, 0,
                                                   to.size(), to.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return opencl_failure(fmt::format("reading {} bytes from the device", to.size()), code);
  }
  return {};
}

Result<void> OpenclDevice::launch(Kernel& kernel, std::span<const Argument> arguments,
                                  const Shape& shape) {
  VYRE_TRY(OpenclKernel* const own, own_kernel(*this, kernel));
  VYRE_CHECK(own->prepare(arguments, shape));
  EventHandle done;
  cl_int code = own->enqueue(queue_.get(), done.out());
  if (code == CL_SUCCESS) code = wait_for(done.get());
  if (code != CL_SUCCESS) return own->failure(code);
  return {};
}

Result<Timing> OpenclDevice::time(Kernel& kernel, std::span<const Argument> arguments,
                                  const Shape& shape, const TimeOptions& options) {
  VYRE_TRY(OpenclKernel* const own, own_kernel(*this, kernel));
  VYRE_CHECK(own->prepare(arguments, shape));
  if (const cl_int code = opencl().finish(queue_.get()); code != CL_SUCCESS) {
    return own->failure(code);
  }
  return own->time(profiled_.get(), options);
}

}  // namespace

Result<std::unique_ptr<Device>> open_opencl(OpenclDeviceInfo info) {
  auto device = std::make_unique<OpenclDevice>(std::move(info));
  if (auto started = device->start(); !started) return Unexpected(started.error());
  return device;
}

}  // namespace vyre::device
