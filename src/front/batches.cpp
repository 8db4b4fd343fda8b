#include "vyre/front/batches.h"

#include <system_error>
#include <utility>

#include "base/memory.h"
#include "front/batches_state.h"
#include "front/call.h"

namespace vyre {
namespace detail {

Result<std::shared_ptr<BatchesState>> BatchesState::make(std::shared_ptr<KernelState> kernel,
                                                         const BatchOptions& options,
                                                         Clock& clock) {
  VYRE_TRY(auto batch_kernel, BatchKernel::make(std::move(kernel), options));
  auto loop = std::make_shared<BatchLoop>(std::move(batch_kernel), options, clock);
  try {
    return std::make_shared<BatchesState>(loop, std::thread([loop] {
                                            loop->run();
                                            loop->say_what_is_left();
                                          }));
  } catch (const std::system_error& error) {
    return fail(ErrorKind::limit, std::string("no thread for batches: ") + error.what());
  }
}

// A callback may hold the last handle; its thread cannot wait for itself.
BatchesState::~BatchesState() {
  loop_->close();
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

Result<void> AnyBatches::flush() const {
  if (state_ == nullptr) return fail(ErrorKind::input, never_made("queue of batches"));
  return state_->loop().flush();
}

std::size_t AnyBatches::due() const { return state_ == nullptr ? 0 : state_->loop().due(); }

BatchStats AnyBatches::stats() const {
  return state_ == nullptr ? BatchStats{} : state_->loop().stats();
}

Result<void> AnyBatches::push_bytes(Parts inputs) const {
  if (state_ == nullptr) return fail(ErrorKind::input, never_made("queue of batches"));
  return state_->loop().push(inputs);
}

Result<void> AnyBatches::check_due(std::size_t items) const {
  if (state_ == nullptr) return fail(ErrorKind::input, never_made("queue of batches"));
  return state_->loop().check_due(items);
}

Result<void> AnyBatches::pull_bytes(std::size_t items,
                                    std::span<const std::span<std::byte>> outputs) const {
  return state_->loop().pull(items, outputs);
}

std::size_t AnyBatches::output_elements(std::size_t output) const {
  return state_->loop().kernel().outputs()[output].elements();
}

void AnyBatches::deliver_to(Deliver deliver) const {
  if (state_ != nullptr) state_->loop().deliver_to(std::move(deliver));
}

}  // namespace detail

Result<std::shared_ptr<detail::BatchesState>> Context::make_batches(
    const detail::AnyKernel& kernel, const BatchOptions& options) const {
  const auto& state = kernel.state();
  if (state == nullptr) return fail(ErrorKind::input, detail::never_made("kernel"));
  if (state->context() != state_) {
    return fail(ErrorKind::input, state->name() + " is a kernel of another context");
  }
  return within_memory([&] { return detail::BatchesState::make(state, options, steady_clock()); });
}

}  // namespace vyre
