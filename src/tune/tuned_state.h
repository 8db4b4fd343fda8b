// What a tuned program knows, and how it decides. Used under one lock.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tune/remember.h"
#include "vyre/run/run.h"
#include "vyre/store/store.h"
#include "vyre/tune/tuned.h"

namespace vyre::tune {

class Tuned::State {
 public:
  State(device::Device& device, Family family, ir::Uniforms uniforms, TunedOptions options,
        const store::Dispatch& dispatch);

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
  // Fails, and stays undecided, if not even the original can be launched on these buffers.
  [[nodiscard]] Result<void> decide(std::span<device::Buffer* const> buffers);
  [[nodiscard]] store::Found look_up();
  // Whether the program now runs as the decision says.
  [[nodiscard]] bool adopt(const store::Found& found);
  void tune(std::span<device::Buffer* const> buffers, const store::Found& found);
  [[nodiscard]] Result<Choice> choose(std::span<device::Buffer* const> buffers,
                                      const store::Found& found);
  [[nodiscard]] Result<Choice> search(worker::Session& session, const Workload& workload,
                                      const store::Found& found);
  [[nodiscard]] Result<Choice> sweep(worker::Session& session, const Workload& workload);
  [[nodiscard]] Result<Workload> read(std::span<device::Buffer* const> buffers);
  void record(const Choice& choice);

  // Makes a member the one that is launched.
  [[nodiscard]] Result<void> load(space::Index member);
  [[nodiscard]] Result<void> load(const store::Decision& decision);
  [[nodiscard]] Result<void> load_with_workgroup(const Extent& workgroup);
  [[nodiscard]] Result<void> load_program(ir::Program program);
  void settle(Origin origin, double speedup);
  void say(std::string_view problem);
  void count(Count what, std::uint64_t more = 1) {
    if (options_.counters != nullptr) options_.counters->add(what, more);
  }
  void count_failure(const Error& error);
  void count(std::span<const Attempt> attempts);

  std::mutex mutex_;
  device::Device& device_;
  Family family_;
  ir::Uniforms uniforms_;
  TunedOptions options_;
  store::Dispatch dispatch_;
  std::optional<run::Executable> executable_;
  std::optional<space::Index> loaded_;  // the member that it is of, if it is one
  Status status_;
  std::string problem_;
};

}  // namespace vyre::tune
