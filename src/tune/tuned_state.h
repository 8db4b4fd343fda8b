// What a tuned program knows, and how it comes to run what was decided. Used under one lock.
#pragma once

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

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
    if (status_.origin == Origin::undecided) return first_launch(buffers);
    count(Count::dispatches);
    return executable_->launch(buffers);
  }
  [[nodiscard]] Result<device::Event> enqueue(device::Queue& queue,
                                              std::span<device::Buffer* const> buffers) {
    const std::lock_guard guard(mutex_);
    if (status_.origin == Origin::undecided) return first_enqueue(queue, buffers);
    count(Count::dispatches);
    return executable_->enqueue(queue, buffers);
  }
  [[nodiscard]] run::Executable* decided() {
    const std::lock_guard guard(mutex_);
    return status_.origin == Origin::undecided ? nullptr : &*executable_;
  }
  [[nodiscard]] Result<run::Executable> bound(device::Queue& queue,
                                              std::span<device::Buffer* const> buffers);
  [[nodiscard]] Result<void> tune(device::Queue& queue, std::span<device::Buffer* const> buffers,
                                  const TuneRequest& request);
  [[nodiscard]] Result<void> set(std::string_view uniform, Literal value);
  [[nodiscard]] Status status();
  [[nodiscard]] std::string problem();

 private:
  // `launch` launches the executable, whichever that is by then.
  template <class Launch>
  [[nodiscard]] std::invoke_result_t<Launch> first_dispatch(
      std::span<device::Buffer* const> buffers, const Launch& launch);
  [[nodiscard]] Result<void> first_launch(std::span<device::Buffer* const> buffers);
  [[nodiscard]] Result<device::Event> first_enqueue(device::Queue& queue,
                                                    std::span<device::Buffer* const> buffers);
  // Fails, and stays undecided, if not even the baseline can be launched on these buffers.
  [[nodiscard]] Result<void> prepare(std::span<device::Buffer* const> buffers,
                                     const DecideOptions& how);
  // What is done at a first dispatch.
  [[nodiscard]] DecideOptions usual() const;
  [[nodiscard]] Result<Decided> decide(std::span<device::Buffer* const> buffers,
                                       const DecideOptions& how);
  // Whether the program now runs as was decided.
  [[nodiscard]] bool adopt(const Decided& decided);
  [[nodiscard]] Result<Workload> read(std::span<device::Buffer* const> buffers);

  [[nodiscard]] space::Index usual_member() const {
    return family_.usual.value_or(family_.baseline);
  }

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
