#include "vyre/front/context.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "base/memory.h"
#include "front/array_state.h"
#include "front/call.h"
#include "front/context_state.h"
#include "front/kernel_state.h"
#include "front/mathematics_chains.h"
#include "front/recording.h"
#include "vyre/ir/text.h"

namespace vyre {
namespace {

std::optional<std::string_view> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::string default_store() {
  return store::directory(variable("XDG_CACHE_HOME").value_or(""), variable("HOME").value_or(""))
      .string();
}

Failure not_open() {
  return fail(ErrorKind::input, "the context is not open: make it with vyre::Context::open()");
}

}  // namespace

namespace detail {

Result<std::shared_ptr<ContextState>> open_context(ContextOptions options) {
  VYRE_TRY(auto device, device::open(options.device));
  VYRE_TRY(auto queue, device->make_queue({.timed = options.timed}));
  tune::ModeChoice mode;
  if (!options.mode) {
    mode = tune::mode_of(variable("VYRE_AUTOTUNER"), tune::Mode::live);
    options.mode = mode.mode;
  }
  if (!options.live.policy.empty()) {
    VYRE_CHECK(tune::make_live_policy(options.live.policy, 0));
  }
  if (options.live.share <= 0 || options.live.share > 1) {
    return fail(ErrorKind::input, fmt::format("live.share is {}; it is a part of the machine, "
                                              "above 0 and at most 1",
                                              options.live.share));
  }
  const std::string store = options.store.empty() ? default_store() : options.store;
  auto state =
      std::make_shared<ContextState>(std::move(options), std::move(device), std::move(queue));
  if (!mode.warning.empty()) state->log("vyre: " + mode.warning);
  if (store != "none") state->remember_in(store);
  return state;
}

}  // namespace detail

Result<Context> Context::open(ContextOptions options) {
  return within_memory([&]() -> Result<Context> {
    VYRE_TRY(auto state, detail::open_context(std::move(options)));
    return Context(std::move(state));
  });
}

Context::KernelResult Context::make_kernel(std::string_view text,
                                           const std::vector<Setting>& uniforms,
                                           Parameters parameters) const {
  VYRE_TRY(const auto program, ir::parse(text));
  return make_kernel(program, uniforms, parameters);
}

Context::KernelResult Context::make_kernel(const ir::Program& program,
                                           const std::vector<Setting>& uniforms,
                                           Parameters parameters) const {
  if (state_ == nullptr) return not_open();
  return within_memory(
      [&] { return detail::KernelState::make(state_, program, uniforms, parameters); });
}

Context::ChainResult Context::make_gemm(const GemmSizes& sizes) const {
  if (state_ == nullptr) return not_open();
  return within_memory([&] { return detail::gemm_chain(state_, sizes); });
}

Context::ChainResult Context::make_inverse(const InverseSizes& sizes) const {
  if (state_ == nullptr) return not_open();
  return within_memory([&] { return detail::inverse_chain(state_, sizes); });
}

detail::AnyArray Context::make_array(Scalar scalar, const Extents& extents) const {
  if (state_ == nullptr) return {};
  return detail::AnyArray(detail::ArrayState::zeros(state_, scalar, extents));
}

detail::AnyArray Context::make_array(Scalar scalar, const Extents& extents,
                                     std::span<const std::byte> content) const {
  if (state_ == nullptr) return {};
  return detail::AnyArray(detail::ArrayState::of(state_, scalar, extents, content));
}

Event Context::copy_array(const detail::AnyArray& from, const detail::AnyArray& to) const {
  if (state_ == nullptr) return detail::refused(not_open());
  static const std::string& name = *new std::string("copying an array");
  const auto& source = from.state();
  const auto& target = to.state();
  const detail::AnyArray* const arrays[] = {&from, &to};
  if (source == nullptr || target == nullptr) {
    return detail::refuse_never_made("array", arrays, detail::parameters_of<const float, float>);
  }
  return detail::perform_or_record(*state_, {{source, Access::read}, {target, Access::write}}, name,
                                   [source, target](device::Queue& queue) -> Result<device::Event> {
                                     VYRE_CHECK(detail::check_copy(*source, *target));
                                     return queue.copy(target->part(), source->part());
                                   });
}

Step Context::make_step(const std::function<void()>& calls) const {
  if (state_ == nullptr) return Step(std::make_shared<detail::Recording>(not_open()));
  auto recording = std::make_shared<detail::Recording>(state_);
  const detail::Recording::Scope scope(*recording);
  calls();
  return Step(std::move(recording));
}

Result<void> Context::finish() const {
  if (state_ == nullptr) return not_open();
  VYRE_CHECK(detail::not_recording(*state_, "finish"));
  return state_->finish();
}

const device::Adapter& Context::adapter() const {
  static const device::Adapter none;
  return state_ == nullptr ? none : state_->device().adapter();
}

std::string Context::stats() const {
  return state_ == nullptr ? "" : to_string(state_->counters().read());
}

}  // namespace vyre
