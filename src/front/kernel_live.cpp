// Kernels that are tuned by their calls: who launches what, and when it is timed.
#include "front/kernel_live.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "front/kernel_state.h"
#include "tune/remember.h"

namespace vyre::detail {

Result<device::Event> KernelState::enqueue_first(Instance& instance,
                                                 std::span<device::Buffer* const> buffers) {
  std::optional<tune::LiveSearch::Compiling> compiling;
  if (may_go_live(instance)) {
    tune::FirstCall call{.family = instance.family,
                         .uniforms = instance.uniforms,
                         .bytes = {},
                         .starts = starts_for(instance.family)};
    for (const device::Buffer* buffer : buffers) call.bytes.push_back(buffer->bytes());
    VYRE_CHECK(context_->queue().finish());  // from then on a core has nothing to do
    const auto held = context_->hold();
    compiling.emplace(context_->live_search(), std::move(call));
  }
  return instance.tuned.enqueue(context_->queue(), buffers);
}

// A size for which the store has nothing exact. One member leaves nothing to choose.
bool KernelState::may_go_live(const Instance& instance) const {
  if (!context_->is_live() || instance.family.space.size() < 2) return false;
  store::Store* const store = context_->store();
  return store == nullptr || store->lookup(instance.family.dispatch).match != store::Match::exact;
}

void KernelState::go_live(Instance& instance) {
  const bool open = instance.tuned.status().origin == tune::Origin::original;
  if (!context_->is_live() || instance.live || !open || instance.family.space.size() < 2) return;
  auto made = tune::Live::make(instance.family, instance.uniforms, *instance.executable,
                               context_->live_policy(), starts_for(instance.family));
  if (!made) return;
  const auto held = context_->hold();
  if (const auto added = context_->live_search().add(*made); !added) {
    context_->log(fmt::format("vyre: {}: {}", *name_, added.error().message));
    return;
  }
  instance.live = *std::move(made);
}

void KernelState::end_live(Instance& instance) {
  const auto held = context_->hold();
  if (!instance.live) return;
  instance.live->close();
  time_while(instance, false);
  instance.live.reset();
}

std::vector<space::Index> KernelState::starts_for(const tune::Family& family) {
  std::vector<space::Index> starts;
  for (Instance& instance : instances_) {
    if (!instance.live) continue;
    const space::Index best = instance.live->best_member();
    if (best == instance.family.baseline) continue;
    if (const auto same = family.space.find(instance.family.space.values(best))) {
      starts.push_back(*same);
    }
  }
  if (store::Store* const store = context_->store()) {
    const auto found = store->lookup(family.dispatch);
    if (found.decision) {
      if (const auto known = tune::member_of(family, *found.decision)) starts.push_back(*known);
    }
  }
  return starts;
}

void KernelState::time_while(Instance& instance, bool timed) {
  if (timed == instance.timing) return;
  if (!timed) {
    context_->end_timing();
  } else if (!context_->begin_timing()) {
    instance.live->do_without_times();
    return;
  }
  instance.timing = timed;
}

std::string KernelState::why_live(tune::Live& live) const {
  const LiveStatus status = live.status();
  if (!status.problem.empty()) {
    return fmt::format("{} is not tuned further: {}", *name_, status.problem);
  }
  if (is_tuned(status)) return {};
  if (status.searched) {
    return fmt::format("{} runs as it is: none of {} other members was right", *name_,
                       status.tried);
  }
  return fmt::format("{} is tuned by its calls: {} members tried, {} in turn", *name_, status.tried,
                     status.arms.size());
}

}  // namespace vyre::detail
