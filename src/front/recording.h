// Calls that a thread made between record() and its end, ready to be run.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "front/call.h"
#include "front/context_state.h"

namespace vyre::detail {

class Recording {
 public:
  struct Call {
    std::vector<KeptUse> uses;
    const std::string* name = nullptr;  // the context's
    Enqueue enqueue;
  };

  explicit Recording(std::shared_ptr<ContextState> context) : context_(std::move(context)) {}
  // One that was refused as a whole.
  explicit Recording(Failure failure)
      : refused_(std::make_shared<KeptError>(std::move(failure).error())) {}

  // That of this thread on this context, if there is one under way.
  [[nodiscard]] static Recording* current(const ContextState& context);
  // While it lives, this thread's calls are recorded here.
  class Scope;

  // The event of a recorded call says that it did not run.
  Event add(Call call);
  Event refuse(Error error);

  Event run(std::size_t times);
  [[nodiscard]] Result<void> check() const;
  [[nodiscard]] std::size_t size() const { return calls_.size(); }

 private:
  // What the calls do to each array from outside: only the first use of what is overwritten counts.
  void note_uses(const Call& call);
  [[nodiscard]] Result<Event> enqueue_all(std::size_t times);

  std::shared_ptr<ContextState> context_;
  std::vector<Call> calls_;
  std::vector<Use> uses_;
  Kept refused_;
  std::mutex running_;  // bound kernels are launched by one thread at a time
};

class Recording::Scope {
 public:
  explicit Scope(Recording& recording);
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope();

 private:
  Recording* outer_;
};

}  // namespace vyre::detail
