#include "vyre/front/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/memory.h"
#include "front/array_state.h"
#include "front/call.h"

namespace vyre {

Extents::Extents(std::span<const std::size_t> extents)
    : of_{1, 1, 1}, dims_(std::min(extents.size(), of_.size() + 1)) {
  std::ranges::copy(extents.first(std::min(extents.size(), of_.size())), of_.begin());
}

std::size_t Extents::count() const {
  std::size_t count = 1;
  for (const std::size_t extent : of_) {
    if (__builtin_mul_overflow(count, extent, &count)) {
      return std::numeric_limits<std::size_t>::max();
    }
  }
  return count;
}

namespace detail {
namespace {

Result<void> check_extents(const Extents& extents) {
  if (extents.dims() > 3) {
    return fail(ErrorKind::input, "an array has one to three extents; more were given");
  }
  if (extents.count() > std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorKind::limit, "an array has more elements than u32 can count: make it smaller");
  }
  return {};
}

// For messages; they outlive every context.
const std::string& name_of_zeros = *new std::string("filling a new array");
const std::string& name_of_assign = *new std::string("assigning to an array");
const std::string& name_of_fill = *new std::string("filling an array");

}  // namespace

void ArrayState::break_down(Error error) {
  broken_ = context_->keep(std::move(error));
  suspect_ = true;
}

std::shared_ptr<ArrayState> ArrayState::zeros(Context context, Scalar scalar,
                                              const Extents& extents) {
  auto made = std::make_shared<ArrayState>(std::move(context), scalar, extents);
  const auto filled = within_memory([&]() -> Result<void> {
    VYRE_CHECK(check_extents(extents));
    VYRE_TRY(made->buffer_, made->context_->device().allocate(made->bytes()));
    static constexpr std::byte zero{0};
    VYRE_TRY(auto event, made->context_->queue().fill(made->part(), std::span(&zero, 1)));
    made->context_->submit(std::move(event), name_of_zeros);
    return {};
  });
  if (!filled) made->break_down(filled.error());
  return made;
}

std::shared_ptr<ArrayState> ArrayState::of(Context context, Scalar scalar, Extents extents,
                                           std::span<const std::byte> content) {
  const std::size_t given = content.size() / storage_bytes(scalar);
  if (extents.dims() == 0) extents = Extents(given);
  auto made = std::make_shared<ArrayState>(std::move(context), scalar, extents);
  const auto filled = within_memory([&]() -> Result<void> {
    VYRE_CHECK(check_extents(extents));
    if (extents.count() != given) {
      return fail(ErrorKind::input, fmt::format("an array of {} elements was given {} numbers",
                                                extents.count(), given));
    }
    VYRE_TRY(made->buffer_, made->context_->device().allocate_with(content));
    return {};
  });
  if (!filled) made->break_down(filled.error());
  return made;
}

std::shared_ptr<ArrayState> ArrayState::slice(std::shared_ptr<ArrayState> whole, std::size_t first,
                                              std::size_t count) {
  auto made = std::make_shared<ArrayState>(whole->context_, whole->scalar_, Extents(count));
  made->offset_ = whole->offset_ + first * storage_bytes(whole->scalar_);
  const std::size_t all = whole->extents_.count();
  if (first > all || count > all - first) {
    made->break_down({ErrorKind::input, fmt::format("a slice of {} elements from {} on leaves an "
                                                    "array of {}",
                                                    count, first, all)});
    return made;
  }
  made->whole_ = std::move(whole);
  return made;
}

Result<device::Buffer*> ArrayState::sliced() {
  const std::lock_guard guard(mutex_);
  if (buffer_ == nullptr) {
    const auto [buffer, offset, bytes] = part();
    if (bytes == buffer->bytes()) return buffer;
    VYRE_TRY(buffer_, context_->device().slice(*buffer, offset, bytes));
  }
  return buffer_.get();
}

Kept ArrayState::find_fault(bool overwritten) {
  const std::lock_guard guard(mutex_);
  if (broken_) return broken_;
  if (mapped_ > 0) {
    return context_->keep(
        {ErrorKind::input,
         "the host has mapped the array: give it back with unmap() before a call"});
  }
  return overwritten ? nullptr : spoiled_;
}

void ArrayState::spoil(const Kept& why) {
  ArrayState& all = root();
  const std::lock_guard guard(all.mutex_);
  if (!all.spoiled_) all.spoiled_ = why;
  all.suspect_ = true;
}

void ArrayState::heal_whole() {
  const std::lock_guard guard(mutex_);
  spoiled_.reset();
  suspect_ = broken_ != nullptr || mapped_ > 0;
}

Result<std::span<std::byte>> ArrayState::map() {
  if (const Kept why = fault(false)) return told(why);
  ArrayState& all = root();
  VYRE_TRY(const auto memory, context_->queue().map(part()));
  const std::lock_guard guard(all.mutex_);
  ++all.mapped_;
  all.suspect_ = true;
  return memory;
}

Result<void> ArrayState::unmap(std::span<std::byte> memory) {
  ArrayState& all = root();
  {
    const std::lock_guard guard(all.mutex_);
    --all.mapped_;
    all.suspect_ = all.broken_ != nullptr || all.spoiled_ != nullptr || all.mapped_ > 0;
  }
  auto done = context_->queue().unmap(part(), memory);
  if (!done) return told(context_->keep(std::move(done).error()));
  return {};
}

Result<void> check_copy(ArrayState& from, ArrayState& to) {
  if (from.context() != to.context()) {
    return fail(ErrorKind::input,
                "a copy from an array of one context to one of another: go "
                "through the host");
  }
  if (from.extents().count() != to.extents().count()) {
    return fail(ErrorKind::input, fmt::format("a copy of {} elements to an array of {}",
                                              from.extents().count(), to.extents().count()));
  }
  const device::Part a = from.part();
  const device::Part b = to.part();
  if (a.buffer == b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes) {
    return fail(ErrorKind::input, "a copy between parts of one array that overlap");
  }
  return {};
}

Result<std::span<std::byte>> map_array(ArrayState& state) {
  VYRE_CHECK(not_recording(*state.context(), "map"));
  auto memory = state.map();
  if (!memory) return memory;
  if (auto ended = state.context()->check_ended(); !ended) {
    (void)state.unmap(*memory);
    return Failure(std::move(ended).error());
  }
  return memory;
}

Result<void> unmap_array(ArrayState& state, std::span<std::byte> memory) {
  return state.unmap(memory);
}

const Extents& AnyArray::extents() const {
  static const Extents none;
  return state_ == nullptr ? none : state_->extents();
}

Result<void> AnyArray::check() const {
  if (state_ == nullptr) return fail(ErrorKind::input, never_made("array"));
  if (const Kept why = state_->fault(false)) return told(why);
  return {};
}

AnyArray AnyArray::slice_of(std::size_t first, std::size_t count) const {
  if (state_ == nullptr) return {};
  return AnyArray(ArrayState::slice(state_, first, count));
}

Event AnyArray::assign_bytes(std::span<const std::byte> from) const {
  if (state_ == nullptr) return refused(fail(ErrorKind::input, never_made("array")));
  const Use use = {state_.get(), Access::write};
  return perform(*state_->context(), std::span(&use, 1), [&]() -> Result<Event> {
    VYRE_CHECK(not_recording(*state_->context(), "assign"));
    if (from.size() != state_->bytes()) {
      const std::size_t each = storage_bytes(state_->scalar());
      return fail(ErrorKind::input, fmt::format("an array of {} elements was assigned {} numbers",
                                                size(), from.size() / each));
    }
    std::vector<std::byte> host(from.begin(), from.end());
    VYRE_TRY(auto event, state_->context()->queue().write(state_->part(), host));
    return state_->context()->submit(std::move(event), name_of_assign, std::move(host));
  });
}

Event AnyArray::fill_bytes(std::span<const std::byte> pattern) const {
  if (state_ == nullptr) return refused(fail(ErrorKind::input, never_made("array")));
  const std::vector<std::byte> value(pattern.begin(), pattern.end());
  return perform_or_record(
      *state_->context(), {{state_, Access::write}}, name_of_fill,
      [state = state_, value](device::Queue& queue) { return queue.fill(state->part(), value); });
}

Result<void> AnyArray::read_bytes(std::span<std::byte> to) const {
  VYRE_CHECK(check());
  VYRE_CHECK(not_recording(*state_->context(), "to_host"));
  if (to.size() != state_->bytes()) {
    const std::size_t each = storage_bytes(state_->scalar());
    return fail(ErrorKind::input,
                fmt::format("an array of {} elements is read into {}", size(), to.size() / each));
  }
  return within_memory([&]() -> Result<void> {
    VYRE_CHECK(state_->context()->queue().read(to, state_->part()));
    return state_->context()->check_ended();
  });
}

}  // namespace detail

}  // namespace vyre
