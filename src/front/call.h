// How everything that is enqueued is done: arrays that cannot be used refuse it, what goes wrong is
// kept and spreads to the arrays that were to be written, and a thread that records gets no launch
// but a line in its recording.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/array_state.h"
#include "front/command.h"
#include "front/context_state.h"
#include "vyre/base/launch.h"
#include "vyre/front/kernel.h"
#include "vyre/run/run.h"

namespace vyre::detail {

// An array as a call uses it.
struct Use {
  ArrayState* array = nullptr;
  Access access = Access::read;
};

// "this array was never made: ...".
[[nodiscard]] std::string never_made(std::string_view what);

// An event of something that was refused; nobody keeps the error but the event.
[[nodiscard]] Event refused(Failure failure);

// The same for a call of something that was never made: the arrays that it was to write hold it,
// and their context keeps it.
[[nodiscard]] Event refuse_never_made(std::string_view what,
                                      std::span<const AnyArray* const> arrays,
                                      std::span<const Parameter> parameters);

// The first of the arrays' faults.
[[nodiscard]] Kept fault_of(std::span<const Use> uses);
// An event with that error, which the arrays that were to be written now hold.
[[nodiscard]] Event spoiled(std::span<const Use> uses, const Kept& why);
// What was written as a whole holds no error any more.
void heal(std::span<const Use> uses);

// `work` gives a Result<Event>; it is called if no array has a fault.
template <class Work>
[[nodiscard]] Event perform(ContextState& context, std::span<const Use> uses, const Work& work) {
  if (const Kept why = fault_of(uses)) return spoiled(uses, why);
  auto event = work();
  if (!event) return spoiled(uses, context.keep(std::move(event).error()));
  heal(uses);
  return *std::move(event);
}

// An array that a recorded call uses, and so keeps.
struct KeptUse {
  std::shared_ptr<ArrayState> array;
  Access access = Access::read;
};
using Enqueue = std::function<Result<device::Event>(device::Queue& queue)>;

// Launches a kernel that is bound to its buffers, and counts that. Must not outlive the context.
[[nodiscard]] Enqueue launch_of(ContextState& context, run::Executable bound);

// Enqueues now, or, if this thread records calls of this context, whenever the recording is run.
[[nodiscard]] Event perform_or_record(ContextState& context, std::vector<KeptUse> uses,
                                      const std::string& name, Enqueue enqueue);

// Refuses what cannot be recorded, if this thread records calls of this context.
[[nodiscard]] Result<void> not_recording(const ContextState& context, std::string_view what);

}  // namespace vyre::detail
