#include "front/context_state.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "front/command_pool.h"

namespace vyre::detail {
namespace {

// Commands are looked at in batches, when as many again were enqueued after them: one call for all
// is cheaper, and to ask for a command that has just ended is to wait for the driver's thread.
constexpr std::size_t batch = 256;
// So many may be under way; beyond, the oldest are waited for.
constexpr std::size_t most_under_way = 16'384;

}  // namespace

ContextState::ContextState(ContextOptions options, std::unique_ptr<device::Device> device,
                           std::unique_ptr<device::Queue> queue)
    : options_(std::move(options)),
      device_(std::move(device)),
      queue_(std::move(queue)),
      next_look_(2 * batch) {}

ContextState::~ContextState() {
  const auto done = queue_->finish();
  const std::lock_guard guard(mutex_);
  settle();
  if (first_ && !first_->seen)
    log("vyre: nobody looked at this error: " + to_string(first_->error));
  if (!done) log("vyre: " + to_string(done.error()));
}

void ContextState::remember_in(const std::string& directory) {
  store_.emplace(directory, store::owner_of(device_->adapter()));
  for (const std::string& problem : store_->problems()) log("vyre: " + problem);
}

tune::TunedOptions ContextState::tuned_options() {
  const auto& [strategy, seed, evaluations, time, workers] = options_.search;
  return {.mode = options_.mode.value_or(tune::Mode::natural),
          .store = store_ ? &*store_ : nullptr,
          .counters = &counters_,
          .tune = {strategy, seed, evaluations, time, workers},
          .worker = options_.worker};
}

void ContextState::log(const std::string& line) {
  if (options_.log) {
    options_.log(line);
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

Event ContextState::submit(device::Event event, const Command::Name& name,
                           std::vector<std::byte> host) {
  auto command = std::allocate_shared<const Command>(CommandAllocator<Command>(), std::move(event),
                                                     name, std::move(host));
  const std::lock_guard guard(mutex_);
  under_way_.push_back(command);
  if (under_way_.size() >= next_look_) look();
  return Event(std::move(command));
}

void ContextState::look() {
  // In order: when this one has ended, so have those before it.
  const bool ended = under_way_[batch - 1]->state() != device::Event::State::under_way;
  if (ended || under_way_.size() >= most_under_way) look_at_oldest(batch);
  next_look_ = std::max(2 * batch, under_way_.size() + batch / 4);
}

void ContextState::look_at_oldest(std::size_t count) {
  events_.clear();
  for (std::size_t i = 0; i < count; ++i) events_.push_back(&under_way_[i]->event());
  const device::Event* failed = queue_->first_failed(events_);
  for (std::size_t i = 0; failed != nullptr && i < count; ++i) {
    if (&under_way_[i]->event() == failed) look_at(*under_way_[i]);
  }
  under_way_.erase(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(count));
}

void ContextState::look_at(const Command& command) {
  auto done = command.wait();
  if (done) return;
  auto kept = std::make_shared<KeptError>(std::move(done).error());
  if (!lost_) lost_ = kept;
  keep_first(kept);
}

void ContextState::keep_first(const Kept& kept) {
  if (!first_) first_ = kept;
}

Kept ContextState::keep(Error error) {
  auto kept = std::make_shared<KeptError>(std::move(error));
  const std::lock_guard guard(mutex_);
  keep_first(kept);
  return kept;
}

Result<void> ContextState::check_ended() {
  const std::lock_guard guard(mutex_);
  settle();
  if (lost_) return told(lost_);
  return {};
}

Result<void> ContextState::finish() {
  VYRE_CHECK(queue_->finish());
  const std::lock_guard guard(mutex_);
  settle();
  lost_.reset();
  if (const Kept first = std::exchange(first_, nullptr)) return told(first);
  return {};
}

}  // namespace vyre::detail
