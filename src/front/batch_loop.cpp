#include "front/batch_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/memory.h"

namespace vyre::detail {
namespace {

double operations_per_item(const ir::Facts& facts, std::uint32_t items) {
  const std::uint64_t all = facts.integer_ops + facts.float_ops + facts.special_ops +
                            facts.comparisons + facts.conversions + facts.loads + facts.stores +
                            facts.atomics;
  return static_cast<double>(all) / items;
}

}  // namespace

BatchLoop::BatchLoop(BatchKernel kernel, const BatchOptions& options, Clock& clock)
    : kernel_(std::move(kernel)),
      options_(options),
      clock_(clock),
      size_(options.least, options.most, operations_per_item(kernel_.facts(), options.least)),
      queue_(kernel_.inputs()),
      inputs_(kernel_.inputs().size()) {}

Result<std::size_t> BatchLoop::items_in(Parts inputs) const {
  std::size_t items = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ItemPart& part = kernel_.inputs()[i];
    const std::size_t numbers = inputs[i].size() / storage_bytes(part.scalar);
    if (numbers == 0 || numbers % part.elements() != 0) {
      return fail(ErrorKind::input,
                  fmt::format("{} numbers were pushed for '{}' of {}; an item has {}", numbers,
                              part.name, kernel_.name(), part.elements()));
    }
    const std::size_t here = numbers / part.elements();
    if (i > 0 && here != items) {
      return fail(ErrorKind::input,
                  fmt::format("{} items were pushed for '{}' of {}, but {} for '{}'", here,
                              part.name, kernel_.name(), items, kernel_.inputs()[0].name));
    }
    items = here;
  }
  return items;
}

void BatchLoop::keep(const Error& error) {
  if (first_error_) return;
  first_error_ = error;
  error_seen_ = false;
}

Result<void> BatchLoop::push(Parts inputs) {
  auto items = items_in(inputs);
  Lock lock(mutex_);
  auto done = items ? stage(inputs, *items, lock) : Result<void>(Failure(std::move(items).error()));
  if (!done) keep(done.error());
  return done;
}

Result<void> BatchLoop::stage(Parts inputs, std::size_t items, Lock& lock) {
  if (!is_own_thread()) done_.wait(lock, [&] { return waiting() < options_.room; });
  const std::uint64_t before = waiting();
  VYRE_CHECK(queue_.push(inputs, items, clock_.now()));
  if (before == 0 || (before < enough() && waiting() >= enough())) work_.notify_one();
  return {};
}

Result<void> BatchLoop::is_due(std::size_t items) const {
  if (deliver_) {
    return fail(
        ErrorKind::input,
        fmt::format("a callback gets the results of {}: there is nothing to pull", kernel_.name()));
  }
  if (items <= queue_.pushed() - pulled_) return {};
  return fail(ErrorKind::input, fmt::format("{} results of {} are to be pulled, but {} are due: "
                                            "push before you pull",
                                            items, kernel_.name(), queue_.pushed() - pulled_));
}

Result<void> BatchLoop::check_due(std::size_t items) {
  const Lock lock(mutex_);
  return is_due(items);
}

Result<void> BatchLoop::pull(std::size_t items, std::span<const std::span<std::byte>> outputs) {
  Lock lock(mutex_);
  VYRE_CHECK(is_due(items));
  const std::uint64_t first = std::exchange(pulled_, pulled_ + items);
  done_.wait(lock, [&] { return ended_ >= first + items && given_ == first; });
  std::optional<Error> error;
  for (std::size_t got = 0; got < items;) {
    Block& block = blocks_.front();
    const std::size_t count = std::min(items - got, block.items - block.pulled);
    for (std::size_t i = 0; i < outputs.size() && !block.error; ++i) {
      const std::size_t each = kernel_.outputs()[i].bytes();
      const auto from = std::span(block.outputs[i]).subspan(block.pulled * each, count * each);
      std::ranges::copy(from, outputs[i].subspan(got * each).begin());
    }
    if (block.error && !error) error = block.error;
    block.pulled += count;
    got += count;
    if (block.pulled == block.items) blocks_.pop_front();
  }
  given_ += items;
  done_.notify_all();
  if (!error) return {};
  error_seen_ = true;
  return Failure(*std::move(error));
}

Result<void> BatchLoop::flush() {
  Lock lock(mutex_);
  if (is_own_thread()) {
    return fail(ErrorKind::input,
                fmt::format("flush() in the callback of {} would wait for itself", kernel_.name()));
  }
  const std::uint64_t all = queue_.pushed();
  flushed_ = std::max(flushed_, all);
  work_.notify_one();
  done_.wait(lock, [&] { return ended_ >= all; });
  if (!first_error_) return {};
  error_seen_ = true;
  Failure failure(*std::exchange(first_error_, {}));
  return failure;
}

std::size_t BatchLoop::due() {
  const Lock lock(mutex_);
  return deliver_ ? queue_.pushed() - ended_ : queue_.pushed() - pulled_;
}

BatchStats BatchLoop::stats() {
  const Lock lock(mutex_);
  BatchStats made = stats_;
  made.size = size_.now();
  const auto per_item = [&](std::uint64_t of_least) {
    return of_least * stats_.items / options_.least;
  };
  const ir::Facts& facts = kernel_.facts();
  made.integer_ops = per_item(facts.integer_ops);
  made.float_ops = per_item(facts.float_ops);
  made.special_ops = per_item(facts.special_ops);
  made.accesses = per_item(facts.loads + facts.stores + facts.atomics);
  return made;
}

void BatchLoop::deliver_to(AnyBatches::Deliver deliver) {
  const Lock lock(mutex_);
  deliver_ = std::move(deliver);
}

void BatchLoop::close() {
  const Lock lock(mutex_);
  closed_ = true;
  work_.notify_all();
  done_.notify_all();
}

void BatchLoop::say_what_is_left() {
  if (waiting() > 0) {
    kernel_.context().log(
        fmt::format("vyre: batches of {}: {} items were never run: flush() before "
                    "the end",
                    kernel_.name(), waiting()));
  }
  if (first_error_ && !error_seen_) {
    kernel_.context().log(
        fmt::format("vyre: batches of {}: {}", kernel_.name(), first_error_->message));
  }
}

bool BatchLoop::is_ready(Time now) const {
  if (waiting() == 0) return false;
  return waiting() >= enough() || flushed_ > queue_.taken() ||
         now - queue_.oldest() >= options_.patience;
}

void BatchLoop::wait_for_items(Lock& lock) {
  constexpr Time longest = std::chrono::hours(1);  // more is no help, and would overflow
  idle_ = Time(0);
  const Time begin = clock_.now();
  for (Time now = begin; !closed_; now = clock_.now()) {
    if (is_ready(now)) {
      if (now != begin) idle_ = std::max(Time(0), now - std::max(begin, queue_.oldest()));
      return;
    }
    if (waiting() == 0) {
      work_.wait(lock);
    } else {
      const Time left = options_.patience - (now - queue_.oldest());
      work_.wait_for(lock, std::clamp<Time>(left, std::chrono::microseconds(1), longest));
    }
  }
}

void BatchLoop::run_one(Lock& lock) {
  const auto items = static_cast<std::uint32_t>(std::min<std::uint64_t>(waiting(), size_.now()));
  const std::uint32_t capacity = size_.capacity_for(items);
  Block block{.items = items, .outputs = Bytes(kernel_.outputs().size())};
  auto ran = within_memory([&]() -> Result<void> {
    queue_.gather(items, capacity, inputs_);
    for (std::size_t i = 0; i < block.outputs.size(); ++i) {
      block.outputs[i].resize(capacity * kernel_.outputs()[i].bytes());
    }
    return {};
  });
  queue_.drop(items);
  done_.notify_all();  // there is room
  const Time start = clock_.now();
  lock.unlock();
  if (ran) ran = kernel_.run(capacity, inputs_, block.outputs);
  const Time end = clock_.now();
  lock.lock();
  if (!ran) block.error = std::move(ran).error();
  count({items, capacity, end - start, idle_});
  finish(std::move(block), lock);
}

void BatchLoop::count(const tune::BatchRun& run) {
  size_.add(run);
  stats_.items += run.items;
  ++stats_.dispatches;
  stats_.padding += run.capacity - run.items;
  stats_.busy += run.busy;
  stats_.idle += run.idle;
}

void BatchLoop::finish(Block block, Lock& lock) {
  const std::size_t items = block.items;
  if (block.error) keep(*block.error);
  if (deliver_) {
    std::vector<std::span<const std::byte>> parts;
    for (std::size_t i = 0; i < block.outputs.size(); ++i) {
      parts.push_back(std::span(block.outputs[i]).first(items * kernel_.outputs()[i].bytes()));
    }
    if (block.error) error_seen_ = true;
    lock.unlock();
    deliver_(items, block.error ? Result<Parts>(Failure(*block.error)) : Result<Parts>(parts));
    lock.lock();
  } else {
    blocks_.push_back(std::move(block));
  }
  ended_ += items;
  done_.notify_all();
}

void BatchLoop::run() {
  Lock lock(mutex_);
  thread_ = std::this_thread::get_id();
  while (true) {
    wait_for_items(lock);
    if (closed_) return;
    run_one(lock);
  }
}

}  // namespace vyre::detail
