#include "interpret/machine.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "interpret/fault.h"
#include "interpret/semantics.h"

namespace vyre::interpret {
namespace {

using u32 = std::uint32_t;

}  // namespace

Machine::Machine(const Tape& tape, std::span<Memory> memories, Batches batches,
                 const Options& options)
    : tape_(tape),
      memories_(memories),
      batches_(batches),
      options_(options),
      frame_(tape.columns, batches.size()) {}

Result<Ran> Machine::run() {
  if (tape_.steps.empty()) return Ran{};
  fill_constants();
  while (!failure_ && next_batch()) {
    if (!begin_epoch()) return Unexpected(fault::too_many_epochs());
    epoch_.batch = epoch_.now;
    fill_ids();
    run_batch();
  }
  if (failure_) return Unexpected(*std::move(failure_));
  return Ran{.steps = steps_, .whole = batches_.is_last()};
}

bool Machine::next_batch() {
  return (!options_.sample || steps_ < *options_.sample) && batches_.next();
}

void Machine::run_batch() {
  const Active whole{.last = batches_.size()};
  batches_.fill_mask({frame_.cells<u32>(whole_mask), batches_.size()});
  activate(whole_mask, whole);
  for (StepIndex at = 0; at < tape_.steps.size();) {
    if (const auto* compute = std::get_if<Compute>(&tape_.steps[at])) {  // the most by far
      compute->kernel(*compute, frame_);
      ++at;
    } else {
      at = std::visit([&](const auto& s) { return step(s, at + 1); }, tape_.steps[at]);
    }
  }
}

bool Machine::begin_epoch() {
  if (epoch_.now == std::numeric_limits<u32>::max()) return false;
  ++epoch_.now;
  return true;
}

void Machine::fill_constants() {
  const auto fill = [&]<class T>(Column column, T value) {
    std::fill_n(frame_.cells<T>(column), batches_.size(), value);
  };
  for (const auto& [value, column] : tape_.constants) {
    const auto low = static_cast<u32>(value.bits);
    if (is_long(value.scalar)) {
      fill(column, value.bits);
    } else if (value.scalar == Scalar::f64) {
      fill(column, std::bit_cast<double>(value.bits));
    } else if (value.scalar == Scalar::f32) {
      fill(column, std::bit_cast<float>(low));
    } else {
      fill(column, value.scalar == Scalar::boolean ? semantics::to_bool(low) : low);
    }
  }
}

void Machine::fill_ids() {
  for (const auto& [id, column] : tape_.ids) {
    batches_.fill(id, {frame_.cells<u32>(column), batches_.size()});
  }
}

void Machine::activate(Column mask, const Active& outer) {
  const u32* cells = frame_.cells<const u32>(mask);
  Active active{mask, outer.first, outer.last, 0};
  for (u32 i = outer.first; i < outer.last; ++i) active.count += cells[i];
  while (active.first < active.last && cells[active.first] == 0) ++active.first;
  while (active.last > active.first && cells[active.last - 1] == 0) --active.last;
  frame_.active = active;
}

Machine::Next Machine::stop(Error error) {
  failure_ = std::move(error);
  return std::numeric_limits<StepIndex>::max();
}

Machine::Next Machine::charge(u32 cost, const ir::Stmt& stmt, StepIndex next) {
  const std::uint64_t steps = std::uint64_t{cost} * frame_.active.count;
  if (steps > options_.step_limit - steps_) {
    return stop(fault::too_many_steps(stmt, options_.step_limit, frame_, batches_));
  }
  steps_ += steps;
  return next;
}

Machine::Next Machine::after(const std::optional<AccessFault>& found, const Access& access,
                             StepIndex next) {
  if (!found) return next;
  return stop(fault::access(*found, access, memories_[access.buffer], batches_, epoch_));
}

Machine::Next Machine::step(const Compute& s, StepIndex next) {
  s.kernel(s, frame_);
  return next;
}

Machine::Next Machine::step(const Load& s, StepIndex next) {
  return after(load(s, memories_[s.buffer], frame_, epoch_), s, next);
}

Machine::Next Machine::step(const Store& s, StepIndex next) {
  return after(store(s, memories_[s.buffer], frame_, epoch_), s, next);
}

Machine::Next Machine::step(const AtomicAdd& s, StepIndex next) {
  return after(atomic_add(s, memories_[s.buffer], frame_, epoch_), s, next);
}

Machine::Next Machine::step(const Charge& s, StepIndex next) {
  return charge(s.cost, *s.stmt, next);
}

Machine::Next Machine::step(const EnterIf& s, StepIndex next) {
  const Active outer = frame_.active;
  const u32* outer_mask = frame_.cells<const u32>(outer.mask);
  const u32* cond = frame_.cells<const u32>(s.cond);
  u32* mask = frame_.cells<u32>(s.mask);
  for (u32 i = outer.first; i < outer.last; ++i) mask[i] = outer_mask[i] & cond[i];
  enclosing_.push_back(outer);
  activate(s.mask, outer);
  return frame_.active.count == 0 ? s.if_none : next;
}

Machine::Next Machine::step(const EnterElse& s, StepIndex next) {
  const Active& outer = enclosing_.back();
  const u32* outer_mask = frame_.cells<const u32>(outer.mask);
  u32* mask = frame_.cells<u32>(s.mask);
  for (u32 i = outer.first; i < outer.last; ++i) mask[i] ^= outer_mask[i];
  activate(s.mask, outer);
  return frame_.active.count == 0 ? s.if_none : next;
}

Machine::Next Machine::step(const EnterLoop& s, StepIndex next) {
  const Active outer = frame_.active;
  const u32* from = frame_.cells<const u32>(outer.mask);
  std::copy(from + outer.first, from + outer.last, frame_.cells<u32>(s.mask) + outer.first);
  enclosing_.push_back(outer);
  frame_.active.mask = s.mask;
  return next;
}

Machine::Next Machine::step(const TestLoop& s, StepIndex next) {
  const Active outer = frame_.active;
  const u32* cond = frame_.cells<const u32>(s.cond);
  u32* mask = frame_.cells<u32>(outer.mask);
  for (u32 i = outer.first; i < outer.last; ++i) mask[i] &= cond[i];
  activate(outer.mask, outer);
  if (frame_.active.count == 0) return s.if_none;
  return charge(s.cost, *s.stmt, next);
}

Machine::Next Machine::step(const Break& s, StepIndex next) {
  const Active leaving = frame_.active;
  u32* own = frame_.cells<u32>(leaving.mask);
  for (u32 n = 0; n < s.ifs; ++n) {
    u32* mask = frame_.cells<u32>(enclosing_[enclosing_.size() - 1 - n].mask);
    for (u32 i = leaving.first; i < leaving.last; ++i) mask[i] &= own[i] ^ 1U;
  }
  std::fill(own + leaving.first, own + leaving.last, 0U);
  activate(leaving.mask, leaving);
  return next;
}

Machine::Next Machine::step(const Jump& s, StepIndex) { return s.target; }

Machine::Next Machine::step(const Leave& s, StepIndex next) {
  frame_.active = enclosing_.back();
  enclosing_.pop_back();
  if (s.some_left) activate(frame_.active.mask, frame_.active);
  return next;
}

Machine::Next Machine::step(const Barrier& s, StepIndex next) {
  if (frame_.active.count == 0) return next;  // behind a break
  if (frame_.active.count != batches_.size()) {
    return stop(fault::divergent_barrier(*s.stmt, frame_, batches_));
  }
  return begin_epoch() ? next : stop(fault::too_many_epochs());
}

}  // namespace vyre::interpret
