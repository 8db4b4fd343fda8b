// A device compiles source text, holds buffers and launches kernels. It never sees the IR.
//
// Two kinds: `reference`, whose language is vyre's own text and which runs on the interpreter, and
// `opencl`. Devices are found by list() and open(); what they make must not outlive them. Threads
// may use a device at once, but each kernel and each buffer one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/base/launch.h"

namespace vyre::device {

struct Limits {
  std::uint32_t max_workgroup = 0;  // invocations in one group
  Extent max_workgroup_dims = {0, 0, 0};
  std::uint64_t shared_bytes = 0;      // per group
  std::uint64_t max_buffer_bytes = 0;  // not part of the identity: drivers vary it
  std::uint32_t compute_units = 0;
  std::uint32_t preferred_multiple = 1;  // workgroup sizes that fill the hardware's lanes
  bool has_f64 = false;
};

// A device's stable identity. It is the same from run to run and changes with the driver.
struct Adapter {
  std::string kind;      // "reference" or "opencl"
  std::string platform;  // "Portable Computing Language"
  std::string vendor;
  std::string name;
  std::string driver;  // driver and device version
  bool is_cpu = false;
  Limits limits;

  // A readable prefix and 16 hexadecimal digits; letters, digits and '-' only: safe as a file name.
  [[nodiscard]] std::string id() const;
};

class Buffer {
 public:
  virtual ~Buffer() = default;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  // Of a slice: the buffer that it is a part of, and where it begins there.
  [[nodiscard]] virtual const Buffer& whole() const { return *this; }
  [[nodiscard]] virtual std::size_t offset() const { return 0; }
};
// Whether they share memory.
[[nodiscard]] bool overlap(const Buffer& a, const Buffer& b);

class Kernel {
 public:
  virtual ~Kernel() = default;
};

// Compiled source with its entry points.
class Module {
 public:
  virtual ~Module() = default;
  [[nodiscard]] virtual Result<std::unique_ptr<Kernel>> kernel(std::string_view entry) = 0;
};

// An argument: a buffer, or a scalar by value. A bool is passed as one byte, as in a buffer.
using Argument = std::variant<Buffer*, Literal>;

// Of all launches of one call together.
struct Timing {
  // Between the device's own start and end events; wall_ns where it has no clock.
  std::uint64_t device_ns = 0;
  std::uint64_t wall_ns = 0;  // from before the launch until it is known to be finished
  std::uint64_t cpu_ns = 0;   // CPU time of this process, where the device is its own CPU; else 0

  Timing& operator+=(const Timing& more) {
    device_ns += more.device_ns;
    wall_ns += more.wall_ns;
    cpu_ns += more.cpu_ns;
    return *this;
  }
};

struct TimeOptions {
  std::uint32_t launches = 1;  // back to back, waiting only for the last
  // Called once when the first launch has begun, after what the driver compiles at a launch. The
  // times are then not worth keeping.
  std::function<void()> started;
};

// A write outside a guarded buffer. `offset` is in bytes from the buffer's start: negative before
// it, bytes() or more after it.
struct Touched {
  std::int64_t offset = 0;
};

inline constexpr std::size_t guard_bytes = 4096;

class Queue;  // device/queue.h

struct QueueOptions {
  bool timed = false;  // its events know how long their command took; that costs a little each
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const Adapter& adapter() const = 0;
  [[nodiscard]] virtual Language language() const = 0;

  // On failure the error is of kind `compile` and its message holds the compiler's log.
  // `options` are given to the compiler after the device's own.
  [[nodiscard]] virtual Result<std::unique_ptr<Module>> compile(const std::string& source,
                                                                const std::string& options) = 0;
  [[nodiscard]] Result<std::unique_ptr<Module>> compile(const std::string& source) {
    return compile(source, {});
  }

  // A buffer of 0 bytes is allowed.
  [[nodiscard]] virtual Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes) = 0;
  // With this content.
  [[nodiscard]] virtual Result<std::unique_ptr<Buffer>> allocate_with(
      std::span<const std::byte> content);
  // A part of a buffer as one of its own, for kernels; must not outlive it. Drivers want it to
  // begin at a multiple of some power of two: else it is refused with that number.
  [[nodiscard]] virtual Result<std::unique_ptr<Buffer>> slice(Buffer& whole, std::size_t offset,
                                                              std::size_t bytes);
  // With `guard_bytes` on both sides of it that no kernel may write. Where the device itself
  // refuses accesses out of bounds, an ordinary buffer.
  [[nodiscard]] virtual Result<std::unique_ptr<Buffer>> allocate_guarded(std::size_t bytes) = 0;
  // The touched byte next to the buffer, if there is one; mends the guards. Requires: guarded.
  [[nodiscard]] virtual Result<std::optional<Touched>> check_guards(Buffer& buffer) = 0;
  // Whole-buffer copies; the lengths must be equal.
  [[nodiscard]] virtual Result<void> write(Buffer& to, std::span<const std::byte> from) = 0;
  [[nodiscard]] virtual Result<void> read(std::span<std::byte> to, const Buffer& from) = 0;

  [[nodiscard]] virtual Result<std::unique_ptr<Queue>> make_queue(const QueueOptions& options);

  // Runs the kernel and waits for it. An illegal shape is refused with the numbers that clash.
  [[nodiscard]] virtual Result<void> launch(Kernel& kernel, std::span<const Argument> arguments,
                                            const Shape& shape) = 0;
  [[nodiscard]] virtual Result<Timing> time(Kernel& kernel, std::span<const Argument> arguments,
                                            const Shape& shape, const TimeOptions& options) = 0;
  [[nodiscard]] Result<Timing> time(Kernel& kernel, std::span<const Argument> arguments,
                                    const Shape& shape) {
    return time(kernel, arguments, shape, {});
  }
};

// How far OpenCL got on this machine.
enum class OpenclState : std::uint8_t {
  no_loader,  // libOpenCL.so.1 is missing
  no_driver,  // the loader found no platform
  no_device,  // there are platforms, but no device that compiles source text
  ready,
};

struct Listed {
  std::string which;  // what open() takes: "reference", "opencl:0"
  Adapter adapter;
};

// Every device of this machine, the reference first, the default OpenCL device second. A machine
// without OpenCL still has the reference; the last two say why and what to do about it, and are
// empty if there is an OpenCL device.
struct Listing {
  std::vector<Listed> devices;
  OpenclState opencl = OpenclState::no_loader;
  std::string why_no_opencl;
  std::string what_to_install;
};
[[nodiscard]] Listing list();

// "reference"; "opencl" or "default" for the first OpenCL device, GPUs before CPUs; "opencl:1" for
// the second; a device's id(); or a part of its name, in any case. Never falls back from one kind
// to another: a missing device is an error of kind no_device that says what to install.
[[nodiscard]] Result<std::unique_ptr<Device>> open(std::string_view which);

}  // namespace vyre::device
