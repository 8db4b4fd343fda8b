#include "front/item_queue.h"

#include "base/memory.h"

namespace vyre::detail {

Result<void> ItemQueue::push(Parts inputs, std::size_t items, Time now) {
  const std::size_t before = dropped_ + waiting();
  auto done = within_memory([&]() -> Result<void> {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      staged_[i].insert(staged_[i].end(), inputs[i].begin(), inputs[i].end());
    }
    arrivals_.push_back({pushed_ + items, now});
    return {};
  });
  if (done) {
    pushed_ += items;
  } else {
    truncate(before);
  }
  return done;
}

void ItemQueue::truncate(std::size_t items) {
  for (std::size_t i = 0; i < staged_.size(); ++i) staged_[i].resize(items * parts_[i].bytes());
}

void ItemQueue::gather(std::uint32_t items, std::uint32_t capacity, Bytes& into) const {
  for (std::size_t i = 0; i < staged_.size(); ++i) {
    const std::size_t each = parts_[i].bytes();
    const auto from = std::span(staged_[i]).subspan(dropped_ * each, items * each);
    into[i].reserve(capacity * each);
    into[i].assign(from.begin(), from.end());
    const auto last = from.last(each);
    for (std::uint32_t pad = items; pad < capacity; ++pad) {
      into[i].insert(into[i].end(), last.begin(), last.end());
    }
  }
}

// What still waits is moved to the front, but not each time.
void ItemQueue::drop(std::uint32_t items) {
  dropped_ += items;
  taken_ += items;
  while (!arrivals_.empty() && arrivals_.front().last <= taken_) arrivals_.pop_front();
  if (dropped_ < waiting()) return;
  for (std::size_t i = 0; i < staged_.size(); ++i) {
    const auto bytes = static_cast<std::ptrdiff_t>(dropped_ * parts_[i].bytes());
    staged_[i].erase(staged_[i].begin(), staged_[i].begin() + bytes);
  }
  dropped_ = 0;
}

}  // namespace vyre::detail
