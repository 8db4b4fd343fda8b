// A program on a device: emitted for its language, compiled once, launched many times.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/device/queue.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::emit {
struct Entry;
}

namespace vyre::run {

// A program with the values of its uniforms.
struct Request {
  ir::Program program;
  ir::Uniforms uniforms;
};

// A compiled program: the kernels of its stages with their launch shapes, and its scratch memory.
// Move-only; must not outlive its device. Launching makes no allocation, but for the event of
// several stages. Uniforms that sizes depend on are fixed when it is compiled; the others can be
// set between launches.
class Executable {
 public:
  // `buffers` are the global buffers in the order of declaration. Refuses a wrong number of them
  // and a buffer of another length, by name and with the numbers.
  [[nodiscard]] Result<void> launch(std::span<device::Buffer* const> buffers);
  // The same without the wait: what fails while it runs is known by the event. Scratch memory is
  // that of all launches that are not bound: in one queue at a time.
  [[nodiscard]] Result<device::Event> enqueue(device::Queue& queue,
                                              std::span<device::Buffer* const> buffers);
  // Refuses what launch would.
  [[nodiscard]] Result<void> check(std::span<device::Buffer* const> buffers) const;
  // Of all stages together.
  [[nodiscard]] Result<device::Timing> time(std::span<device::Buffer* const> buffers);
  // Refuses a name that is not a settable uniform and a value of another type.
  [[nodiscard]] Result<void> set(std::string_view uniform, Literal value);
  // The same kernels with these buffers, the present values of uniforms and scratch memory of their
  // own, to be enqueued again and again by a thread of its own.
  [[nodiscard]] Result<Executable> bound(std::span<device::Buffer* const> buffers) const;
  // Requires: made by bound().
  [[nodiscard]] Result<device::Event> enqueue_bound(device::Queue& queue) {
    if (stages_.size() > 1) return enqueue_stages(queue);
    return queue.launch(*stages_[0].kernel, stages_[0].arguments, form_->stages[0].shape);
  }
  // Of the first stage.
  [[nodiscard]] const Shape& shape() const { return form_->stages[0].shape; }
  // Bytes that each global buffer must have.
  [[nodiscard]] std::span<const std::size_t> buffer_bytes() const { return form_->buffer_bytes; }

 private:
  friend Result<std::vector<Executable>> compile(device::Device&, std::span<const Request>);
  [[nodiscard]] static Result<std::vector<Executable>> make_all(device::Device& device,
                                                                std::span<const Request> requests);
  [[nodiscard]] static Result<Executable> make(device::Device& device,
                                               std::shared_ptr<device::Module> module,
                                               const Request& request,
                                               std::span<const ir::Program> stages,
                                               std::span<const emit::Entry> entries);
  [[nodiscard]] Result<void> load_stages();
  [[nodiscard]] Result<void> bind(std::span<device::Buffer* const> buffers);
  [[nodiscard]] Result<void> check_distinct(std::span<device::Buffer* const> buffers) const;
  [[nodiscard]] Result<device::Event> enqueue_stages(device::Queue& queue);

  struct StageForm {
    std::string entry;
    Shape shape;
    std::vector<std::string> uniforms;  // in the order of the arguments
  };
  // What it shares with those that are bound.
  struct Form {
    device::Device* device = nullptr;
    std::shared_ptr<device::Module> module;
    std::vector<StageForm> stages;
    std::string name;
    std::vector<ir::Buffer> buffers;  // the global ones
    std::vector<std::size_t> buffer_bytes;
    std::vector<std::size_t> scratch_bytes;
    std::vector<std::string> fixed;     // uniforms that sizes of some stage depend on
    std::vector<std::string> settable;  // the others
  };
  struct LoadedStage {
    std::unique_ptr<device::Kernel> kernel;
    std::vector<device::Argument> arguments;  // buffers, scratch, uniforms of the stage
  };
  [[nodiscard]] device::Argument& uniform_argument(std::size_t stage, std::size_t uniform) {
    return stages_[stage]
        .arguments[form_->buffer_bytes.size() + form_->scratch_bytes.size() + uniform];
  }

  std::shared_ptr<const Form> form_;
  std::vector<std::unique_ptr<device::Buffer>> scratch_;
  std::vector<LoadedStage> stages_;
};

// Compiles all requests as one module: many kernels per build are much cheaper than many builds.
// Requires: valid programs. Refuses uniforms that a program does not have, an empty grid, and what
// the device cannot do: a workgroup or shared memory over its limits, f64 where it has none.
[[nodiscard]] Result<std::vector<Executable>> compile(device::Device& device,
                                                      std::span<const Request> requests);
[[nodiscard]] Result<Executable> compile(device::Device& device, Request request);

// Copies the host bytes to the device, launches once, and copies back what the program may write.
[[nodiscard]] Result<device::Timing> once(device::Device& device, const Request& request,
                                          std::span<const std::span<std::byte>> buffers);

}  // namespace vyre::run
