// What a tuned program knows, and how it comes to run what was decided. Used under one lock.
#pragma once

#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "tune/decide.h"
#include "tune/family.h"
#include "vyre/run/run.h"
#include "vyre/tune/tuned.h"

namespace vyre::tune {

class Tuned::State {
 public:
  State(device::Device& device, Family family, ir::Uniforms uniforms, TunedOptions options);

  [[nodiscard]] Result<void> dispatch(std::span<device::Buffer* const> buffers) {
    const std::lock_guard guard(mutex_);
    if (status_.origin == Origin::undecided) return first_dispatch(buffers);
    count(Count::dispatches);
    return executable_->launch(buffers);
  }
  [[nodiscard]] Result<void> set(std::string_view uniform, Literal value);
  [[nodiscard]] Status status();
  [[nodiscard]] std::string problem();

 private:
  [[nodiscard]] Result<void> first_dispatch(std::span<device::Buffer* const> buffers);
  // Fails, and stays undecided, if not even the baseline can be launched on these buffers.
  [[nodiscard]] Result<void> prepare(std::span<device::Buffer* const> buffers);
  [[nodiscard]] Result<Decided> decide(std::span<device::Buffer* const> buffers, bool again);
  // Whether the program now runs as was decided.
  [[nodiscard]] bool adopt(const Decided& decided);
  [[nodiscard]] Result<Workload> read(std::span<device::Buffer* const> buffers);

  // Makes it what is launched.
  [[nodiscard]] Result<void> load(const Decided& decided);
  [[nodiscard]] Result<void> load_member(space::Index member);
  [[nodiscard]] Result<void> load_workgroup(const Extent& workgroup);
  void settle(Origin origin, double speedup);
  void say(std::string_view problem);
  void count(Count what) {
    if (options_.counters != nullptr) options_.counters->add(what);
  }

  std::mutex mutex_;
  device::Device& device_;
  Family family_;
  ir::Uniforms uniforms_;
  TunedOptions options_;
  std::optional<run::Executable> executable_;
  std::optional<space::Index> loaded_;  // the member that it is of, if it is one
  Status status_;
  std::string problem_;
};

}  // namespace vyre::tune
