// Programs that run one after the other on arrays they share: what every primitive is made of.
//
// Programs know their buffers by name; one name is one array on the device, whichever programs use
// it. After it is made, a pipeline allocates nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/array.h"
#include "vyre/run/run.h"

namespace vyre::primitives {

// One program of a pipeline, bound to its arrays.
class Stage {
 public:
  Stage(run::Executable executable, std::vector<device::Buffer*> buffers,
        std::atomic<std::uint64_t>& calls)
      : executable_(std::move(executable)), buffers_(std::move(buffers)), calls_(&calls) {}

  [[nodiscard]] Result<void> launch() {
    calls_->fetch_add(1, std::memory_order_relaxed);
    return executable_.launch(buffers_);
  }
  [[nodiscard]] Result<device::Timing> time() { return executable_.time(buffers_); }
  // For uniforms that no size depends on.
  [[nodiscard]] Result<void> set(std::string_view uniform, Literal value) {
    return executable_.set(uniform, value);
  }

 private:
  run::Executable executable_;
  std::vector<device::Buffer*> buffers_;
  std::atomic<std::uint64_t>* calls_;
};

// Move-only; must not outlive its device.
class Pipeline {
 public:
  // Compiles all programs as one module, their uniforms at their defaults. Requires: valid
  // programs that agree on the type and count of a buffer they share.
  [[nodiscard]] static Result<Pipeline> make(device::Device& device,
                                             std::span<const ir::Program> programs);

  // Launches every stage in order, up to the first that fails.
  [[nodiscard]] Result<void> launch();
  [[nodiscard]] Stage& stage(std::size_t index) { return stages_[index]; }
  // Requires: some program has a global buffer of this name.
  [[nodiscard]] Array& array(std::string_view name);
  [[nodiscard]] const Array& array(std::string_view name) const;

 private:
  [[nodiscard]] Result<device::Buffer*> provide(device::Device& device, const ir::Program& program,
                                                const ir::Buffer& buffer);

  std::vector<Array> arrays_;
  std::vector<Stage> stages_;
};

}  // namespace vyre::primitives
