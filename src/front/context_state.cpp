#include "front/context_state.h"

#include <cstdio>
#include <utility>

#include "front/command_pool.h"

namespace vyre::detail {
namespace {

// So many commands may be unseen; beyond, the oldest is waited for.
constexpr std::size_t most_under_way = 16'384;
// From so many on, each new one looks at the oldest: not earlier, because to ask for a command that
// has just ended is to wait for the driver's thread, which is still busy with it.
constexpr std::size_t unseen = 1024;

}  // namespace

ContextState::ContextState(ContextOptions options, std::unique_ptr<device::Device> device,
                           std::unique_ptr<device::Queue> queue)
    : options_(std::move(options)), device_(std::move(device)), queue_(std::move(queue)) {}

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
  if (under_way_.size() > unseen) look_at_oldest();
  return Event(std::move(command));
}

// Two, so that a backlog becomes shorter.
void ContextState::look_at_oldest() {
  for (int i = 0; i < 2; ++i) {
    const auto state = under_way_.front()->state();
    if (state == device::Event::State::under_way && under_way_.size() < most_under_way) return;
    if (state != device::Event::State::done) look_at(*under_way_.front());
    under_way_.pop_front();
  }
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

void ContextState::settle() {
  for (; !under_way_.empty(); under_way_.pop_front()) look_at(*under_way_.front());
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
