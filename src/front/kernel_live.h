// What calls of a kernel that is tuned by them share: a turn, and a recorded call.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "front/kernel_state.h"
#include "run/sizes.h"

namespace vyre::detail {

template <class Launch>
Result<device::Event> KernelState::take_turn(Instance& instance,
                                             std::span<device::Buffer* const> buffers,
                                             const ir::Uniforms& own, const Launch& launch) {
  tune::Live& live = *instance.live;
  tune::Live::Turn turn = live.turn();
  if (turn.copied) live.copy_inputs(context_->device(), context_->queue(), buffers, own);
  if (!turn.copied) time_while(instance, turn.timed);
  turn.timed = turn.timed && instance.timing;
  auto event = launch(*turn.executable);
  if (event) {
    if (turn.copied) live.copy_results(context_->device(), context_->queue(), buffers);
    live.launched(turn, event->share());
  } else {
    // What ran on copies and is refused here is not the caller's problem, unless all are.
    live.launched(turn, std::nullopt);
    if (turn.arm != 0) event = launch(*instance.tuned.decided());
  }
  instance.executable = live.best();
  context_->counters().add(tune::Count::dispatches);
  return event;
}

// Bound to the buffers and the uniforms of the time when it was recorded, once for each member that
// has its turn.
class KernelState::LiveCall {
 public:
  LiveCall(std::shared_ptr<KernelState> kernel, Instance& instance, run::Executable bound)
      : kernel_(std::move(kernel)), instance_(instance), buffers_(kernel_->buffers_) {
    // Those that sizes depend on cannot be set, and do not change.
    const auto sizes = run::size_uniforms(kernel_->program_, {});
    for (const ir::Uniform& uniform : kernel_->program_.uniforms) {
      if (sizes.contains(uniform.name)) continue;
      const auto given = kernel_->given_.find(uniform.name);
      uniforms_[uniform.name] = given == kernel_->given_.end() ? uniform.value : given->second;
    }
    bound_.emplace(instance.executable, std::move(bound));
  }

  [[nodiscard]] Result<device::Event> operator()() {
    const auto held = kernel_->context_->hold();
    if (instance_.live && instance_.live->has_news()) {
      return kernel_->take_turn(instance_, buffers_, uniforms_,
                                [&](run::Executable& executable) { return enqueue(executable); });
    }
    if (instance_.live) instance_.live->count();
    kernel_->context_->counters().add(tune::Count::dispatches);
    return enqueue(*instance_.executable);
  }

 private:
  Result<device::Event> enqueue(run::Executable& executable) {
    auto found = bound_.find(&executable);
    if (found == bound_.end()) {
      VYRE_TRY(auto made, executable.bound(buffers_));
      for (const auto& [name, value] : uniforms_) VYRE_CHECK(made.set(name, value));
      found = bound_.emplace(&executable, std::move(made)).first;
    }
    return found->second.enqueue_bound(kernel_->context_->queue());
  }

  std::shared_ptr<KernelState> kernel_;
  Instance& instance_;
  std::vector<device::Buffer*> buffers_;
  ir::Uniforms uniforms_;
  std::map<run::Executable*, run::Executable> bound_;
};

}  // namespace vyre::detail
