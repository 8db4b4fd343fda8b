#include "vyre/front/step.h"

#include <algorithm>
#include <utility>

#include "front/recording.h"

namespace vyre {
namespace detail {
namespace {

thread_local Recording* innermost = nullptr;

}  // namespace

Recording::Scope::Scope(Recording& recording) : outer_(std::exchange(innermost, &recording)) {}
Recording::Scope::~Scope() { innermost = outer_; }

Recording* Recording::current(const ContextState& context) {
  return innermost != nullptr && innermost->context_.get() == &context ? innermost : nullptr;
}

void Recording::note_uses(const Call& call) {
  for (const KeptUse& use : call.uses) {
    const auto found = std::ranges::find(uses_, use.array.get(), &Use::array);
    if (found == uses_.end()) {
      uses_.push_back({use.array.get(), use.access});
    } else if (found->access == Access::read && use.access != Access::read) {
      found->access = Access::read_write;
    }
  }
}

Event Recording::add(Call call) {
  note_uses(call);
  calls_.push_back(std::move(call));
  return refused(fail(ErrorKind::input,
                      "this call was recorded and did not run: wait for the event of Step::run"));
}

Event Recording::refuse(Error error) {
  if (!refused_) refused_ = context_->keep(std::move(error));
  return Event(std::make_shared<const Command>(refused_));
}

Result<void> Recording::check() const {
  if (refused_) return told(refused_);
  return {};
}

Result<Event> Recording::enqueue_all(std::size_t times) {
  Event last;
  for (std::size_t i = 0; i < times; ++i) {
    for (const Call& call : calls_) {
      VYRE_TRY(auto event, call.enqueue(context_->queue()));
      last = context_->submit(std::move(event), *call.name);
    }
  }
  return last;
}

Event Recording::run(std::size_t times) {
  if (refused_) return spoiled(uses_, refused_);
  const std::lock_guard guard(running_);
  return perform(*context_, uses_, [&]() -> Result<Event> {
    VYRE_CHECK(not_recording(*context_, "the run of a step"));
    return enqueue_all(times);
  });
}

}  // namespace detail

Event Step::run(std::size_t times) const {
  return recording_ == nullptr ? Event() : recording_->run(times);
}
Result<void> Step::check() const {
  return recording_ == nullptr ? Result<void>() : recording_->check();
}
std::size_t Step::calls() const { return recording_ == nullptr ? 0 : recording_->size(); }

}  // namespace vyre
