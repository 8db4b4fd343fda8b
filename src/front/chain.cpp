#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/memory.h"
#include "front/chain_state.h"
#include "front/recording.h"
#include "run/sizes.h"
#include "vyre/front/mathematics.h"

namespace vyre::detail {

Result<std::shared_ptr<ChainState>> ChainState::make(std::shared_ptr<ContextState> context,
                                                     std::string name, std::vector<ChainLink> links,
                                                     const std::vector<ChainArgument>& arguments) {
  auto made = std::make_shared<ChainState>(std::move(context), std::move(name));
  for (const ChainArgument& one : arguments) {
    made->slots_.push_back({.name = one.name, .access = one.access, .argument = true});
  }
  for (ChainLink& link : links) VYRE_CHECK(made->add(std::move(link)));
  VYRE_CHECK(made->allocate(arguments.size()));
  return made;
}

Result<void> ChainState::add(ChainLink link) {
  std::vector<std::size_t> slots;
  for (const ir::Buffer& buffer : run::global_buffers(link.program)) {
    VYRE_TRY(const std::size_t slot, slot_of(link.program, buffer));
    slots.push_back(slot);
  }
  tune::TunedOptions options = context_->tuned_options();
  const bool searches = link.family.has_value();
  if (!searches) options.mode = tune::Mode::stored;
  auto tuned = searches
                   ? tune::Tuned::make(context_->device(), *std::move(link.family), {}, options)
                   : tune::Tuned::make(context_->device(), link.program, {}, options);
  if (!tuned) return Failure(std::move(tuned).error());
  links_.push_back({*std::move(tuned), std::move(slots), searches});
  return {};
}

Result<std::size_t> ChainState::slot_of(const ir::Program& program, const ir::Buffer& buffer) {
  VYRE_TRY(const std::uint32_t count, ir::evaluate_size(program, buffer.count));
  auto found = std::ranges::find(slots_, buffer.name, &Slot::name);
  if (found == slots_.end()) found = slots_.insert(slots_.end(), {.name = buffer.name});
  if (found->count == 0) {
    found->scalar = buffer.element;
    found->count = count;
    if (!found->argument) found->access = buffer.access;
  } else if (!found->argument && found->access == Access::read && buffer.access != Access::read) {
    found->access = Access::read_write;
  }
  return static_cast<std::size_t>(found - slots_.begin());
}

Result<void> ChainState::allocate(std::size_t arguments) {
  for (std::size_t i = arguments; i < slots_.size(); ++i) {
    slots_[i].own = ArrayState::zeros(context_, slots_[i].scalar, Extents(slots_[i].count));
    if (const Kept why = slots_[i].own->fault(false)) return told(why);
  }
  return {};
}

const std::shared_ptr<ArrayState>& ChainState::array(std::size_t slot, Arrays arrays) const {
  return slots_[slot].own != nullptr ? slots_[slot].own : arrays[slot]->state();
}

const std::shared_ptr<ArrayState>& ChainState::own(std::string_view name) const {
  const auto found = std::ranges::find(slots_, name, &Slot::name);
  check(found != slots_.end() && found->own != nullptr, "the chain has an array of this name");
  return found->own;
}

Result<void> ChainState::check_arrays(Arrays arrays) const {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto& state = arrays[i]->state();
    const auto problem = [&](const std::string& what) {
      return fail(ErrorKind::input,
                  fmt::format("argument {} of {}, '{}', {}", i + 1, *name_, slots_[i].name, what));
    };
    if (state == nullptr) return problem("was never made");
    if (state->context() != context_) return problem("belongs to another context");
    if (state->extents().count() != slots_[i].count) {
      return problem(fmt::format("has {} elements; it must have {}", state->extents().count(),
                                 slots_[i].count));
    }
  }
  return {};
}

Result<std::vector<device::Buffer*>> ChainState::buffers_of(const Link& link, Arrays arrays) const {
  std::vector<device::Buffer*> buffers;
  for (const std::size_t slot : link.slots) {
    VYRE_TRY(device::Buffer* const buffer, array(slot, arrays)->buffer());
    buffers.push_back(buffer);
  }
  return buffers;
}

Result<Event> ChainState::enqueue(Arrays arrays) {
  VYRE_CHECK(check_arrays(arrays));
  Event last;
  for (Link& link : links_) {
    VYRE_TRY(const auto buffers, buffers_of(link, arrays));
    VYRE_TRY(auto event, link.tuned.enqueue(context_->queue(), buffers));
    last = context_->submit(std::move(event), *name_);
  }
  return last;
}

Result<Event> ChainState::record(Recording& recording, Arrays arrays) {
  VYRE_CHECK(check_arrays(arrays));
  Event last;
  for (Link& link : links_) {
    VYRE_TRY(const auto buffers, buffers_of(link, arrays));
    VYRE_TRY(auto bound, link.tuned.bound(context_->queue(), buffers));
    std::vector<KeptUse> uses;
    for (const std::size_t slot : link.slots)
      uses.push_back({array(slot, arrays), slots_[slot].access});
    last = recording.add({std::move(uses), name_, launch_of(*context_, std::move(bound))});
  }
  return last;
}

void ChainState::say_why() {
  const std::string problem = main_link().tuned.problem();
  if (problem.empty() || std::exchange(said_why_, true)) return;
  context_->log(fmt::format("vyre: {}: {}", *name_, problem));
}

Event ChainState::call(Arrays arrays) {
  std::vector<Use> uses;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i]->state() != nullptr) {
      uses.push_back({arrays[i]->state().get(), slots_[i].access});
    }
  }
  const std::lock_guard guard(mutex_);
  if (Recording* const recording = Recording::current(*context_)) {
    if (const Kept why = fault_of(uses)) return recording->refuse(why->error);
    auto event = within_memory([&] { return record(*recording, arrays); });
    say_why();
    return event ? *std::move(event) : recording->refuse(std::move(event).error());
  }
  return perform(*context_, uses, [&]() -> Result<Event> {
    auto event = within_memory([&] { return enqueue(arrays); });
    say_why();
    return event;
  });
}

const ChainState::Link& ChainState::main_link() const {
  const auto found = std::ranges::find(links_, true, &Link::searches);
  return found == links_.end() ? links_.back() : *found;
}

tune::Status ChainState::status() const { return main_link().tuned.status(); }

std::string ChainState::why() const {
  std::string problem = main_link().tuned.problem();
  if (!problem.empty()) return problem;
  const auto origin = status().origin;
  if (origin == tune::Origin::exact || origin == tune::Origin::tuned) return {};
  if (origin == tune::Origin::undecided) return fmt::format("{} was not called yet", *name_);
  return fmt::format("{} runs as is usual on this device: nothing was decided for these sizes",
                     *name_);
}

bool Chain::tuned() const {
  if (state_ == nullptr) return false;
  const auto origin = state_->status().origin;
  return origin == tune::Origin::exact || origin == tune::Origin::tuned;
}
std::string Chain::why() const { return state_ == nullptr ? never_made("kernel") : state_->why(); }
std::string Chain::configuration() const {
  return state_ == nullptr ? "" : state_->status().configuration;
}

Event Chain::call(std::span<const AnyArray* const> arrays,
                  std::span<const Parameter> parameters) const {
  if (state_ == nullptr) return refuse_never_made("kernel", arrays, parameters);
  return state_->call(arrays);
}

}  // namespace vyre::detail
