#include "front/context_state.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace vyre::detail {
namespace {

// Commands are looked at in batches, when as many again were enqueued after them: one call for all
// is cheaper, and to ask for a command that has just ended is to wait for the driver's thread.
constexpr std::size_t batch = 512;
// So many may be under way; beyond, the oldest are waited for.
constexpr std::size_t most_under_way = 16'384;
// That events are told of.
constexpr std::size_t most_failures = 4096;

}  // namespace

ContextState::ContextState(ContextOptions options, std::unique_ptr<device::Device> device,
                           std::unique_ptr<device::Queue> queue)
    : options_(std::move(options)),
      device_(std::move(device)),
      queue_(std::move(queue)),
      next_look_(2 * batch) {
  events_.reserve(batch);
}

ContextState::~ContextState() {
  live_search_.reset();
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
          .store = store(),
          .counters = &counters_,
          .tune = {strategy, seed, evaluations, time, workers},
          .worker = options_.worker};
}

tune::LiveSearch& ContextState::live_search() {
  if (!live_search_) {
    live_search_ = std::make_unique<tune::LiveSearch>(
        *device_, tune::LiveSearchOptions{.share = options_.live.share,
                                          .seed = options_.search.seed,
                                          .evaluations = options_.live.evaluations,
                                          .store = store(),
                                          .counters = &counters_,
                                          .worker = options_.worker});
  }
  return *live_search_;
}

Result<void> ContextState::begin_timing() {
  if (timing_ == 0) VYRE_CHECK(queue_->set_timed(true));
  ++timing_;
  return {};
}

void ContextState::end_timing() {
  // Should it fail, launches go on being timed.
  if (--timing_ == 0) (void)queue_->set_timed(false);
}

void ContextState::log(const std::string& line) {
  if (options_.log) {
    options_.log(line);
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

const std::string& ContextState::keep_name(const std::string& name) {
  const std::lock_guard guard(mutex_);
  return *names_.insert(name).first;
}

Event ContextState::submit(device::Event event, const std::string& name,
                           std::vector<std::byte> host) {
  const std::lock_guard guard(mutex_);
  if (!host.empty()) sources_.emplace(oldest_ + under_way_.size(), std::move(host));
  return watch(std::move(event), name);
}

Event ContextState::watch(device::Event event, const std::string& name) {
  std::shared_ptr<const Command> command;
  if (options_.timed) command = std::make_shared<const Command>(event.share(), name);
  const std::uint64_t number = oldest_ + under_way_.size();
  under_way_.push_back({std::move(event), &name});
  if (under_way_.size() >= next_look_) look();
  return command ? Event(std::move(command)) : Event(shared_from_this(), number);
}

bool ContextState::has_ended(std::uint64_t number) {
  const std::lock_guard guard(mutex_);
  return number < oldest_ ||
         under_way_[number - oldest_].event.state() != device::Event::State::under_way;
}

Result<void> ContextState::wait(std::uint64_t number) {
  device::Event event;
  {
    const std::lock_guard guard(mutex_);
    if (number >= oldest_) event = under_way_[number - oldest_].event.share();
  }
  // What came of it is noted below, with its name; others may enqueue meanwhile.
  (void)event.wait();
  const std::lock_guard guard(mutex_);
  if (number >= oldest_) look_at_oldest(number - oldest_ + 1);
  if (const auto found = failed_.find(number); found != failed_.end()) return told(found->second);
  return {};
}

void ContextState::look() {
  // In order: when this one has ended, so have those before it.
  const bool ended = under_way_[batch - 1].event.state() != device::Event::State::under_way;
  if (ended || under_way_.size() >= most_under_way) look_at_oldest(batch);
  next_look_ = std::max(2 * batch, under_way_.size() + batch / 4);
}

void ContextState::look_at_oldest(std::size_t count) {
  events_.clear();
  for (std::size_t i = 0; i < count; ++i) events_.push_back(&under_way_[i].event);
  const bool any = queue_->first_failed(events_) != nullptr;
  for (std::size_t i = 0; any && i < count; ++i) {
    if (under_way_[i].event.state() == device::Event::State::failed) note_failure(i);
  }
  under_way_.erase(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(count));
  oldest_ += count;
  sources_.erase(sources_.begin(), sources_.lower_bound(oldest_));
}

void ContextState::note_failure(std::size_t index) {
  auto done = under_way_[index].event.wait();
  if (done) return;
  auto kept = std::make_shared<KeptError>(
      failed_while_running(*under_way_[index].name, std::move(done).error()));
  failed_.emplace(oldest_ + index, kept);
  if (failed_.size() > most_failures) failed_.erase(failed_.begin());
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
