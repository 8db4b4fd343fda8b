#include "front/call.h"

#include <fmt/format.h>

#include <utility>

#include "front/recording.h"

namespace vyre::detail {

std::string never_made(std::string_view what) {
  return fmt::format("this {} was never made: a default-constructed one holds nothing", what);
}

Event refused(Failure failure) {
  return Event(
      std::make_shared<const Command>(std::make_shared<KeptError>(std::move(failure).error())));
}

Event refuse_never_made(std::string_view what, std::span<const AnyArray* const> arrays,
                        std::span<const Parameter> parameters) {
  Kept why;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto& state = arrays[i]->state();
    if (state == nullptr) continue;
    if (!why) why = state->context()->keep({ErrorKind::input, never_made(what)});
    if (parameters[i].writes) state->spoil(why);
  }
  if (!why) return refused(fail(ErrorKind::input, never_made(what)));
  return Event(std::make_shared<const Command>(why));
}

Kept fault_of(std::span<const Use> uses) {
  for (const Use& use : uses) {
    if (Kept why = use.array->fault(use.access == Access::write)) return why;
  }
  return nullptr;
}

Event spoiled(std::span<const Use> uses, const Kept& why) {
  for (const Use& use : uses) {
    if (use.access != Access::read) use.array->spoil(why);
  }
  return Event(std::make_shared<const Command>(why));
}

void heal(std::span<const Use> uses) {
  for (const Use& use : uses) {
    if (use.access == Access::write) use.array->heal();
  }
}

Enqueue launch_of(ContextState& context, run::Executable bound) {
  auto shared = std::make_shared<run::Executable>(std::move(bound));
  return [&context, executable = std::move(shared)](device::Queue& queue) {
    context.counters().add(tune::Count::dispatches);
    return executable->enqueue_bound(queue);
  };
}

Event perform_or_record(ContextState& context, std::vector<KeptUse> uses, const std::string& name,
                        Enqueue enqueue) {
  if (Recording* const recording = Recording::current(context)) {
    return recording->add({std::move(uses), &name, std::move(enqueue)});
  }
  std::vector<Use> plain;
  plain.reserve(uses.size());
  for (const KeptUse& use : uses) plain.push_back({use.array.get(), use.access});
  return perform(context, plain, [&]() -> Result<Event> {
    VYRE_TRY(auto event, enqueue(context.queue()));
    return context.submit(std::move(event), name);
  });
}

Result<void> not_recording(const ContextState& context, std::string_view what) {
  if (Recording::current(context) == nullptr) return {};
  return fail(ErrorKind::input, fmt::format("{} cannot be recorded: do it before or after", what));
}

}  // namespace vyre::detail
