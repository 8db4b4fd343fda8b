// Who accessed each element of a buffer: finds data races and reads before the first write.
//
// Accesses fall into epochs, numbered from 1: a new one begins with each batch of invocations and
// at each barrier. Two accesses to an element conflict if different invocations make them, one is
// not a read, not both are atomic, and nothing orders them: they are of one epoch or, in global
// memory, of different batches. One mark per kind of access is enough: a mark that cannot tell its
// invocations apart any more conflicts with every other.
#pragma once

#include <cstdint>
#include <source_location>
#include <vector>

#include "base/check.h"
#include "interpret/tape.h"

namespace vyre::interpret {

enum class AccessKind : std::uint8_t { read, write, atomic };

// The accesses of one kind to one element; epoch 0: none yet.
struct Mark {
  std::uint32_t epoch = 0;
  std::uint32_t who = 0;  // position in the batch of that epoch, or one of:
  static constexpr std::uint32_t several = 0xffffffff;     // invocations in this epoch
  static constexpr std::uint32_t everywhere = 0xfffffffe;  // invocations of several batches
};

// Time: the current epoch, and the first of the current batch.
struct Epoch {
  std::uint32_t now = 0;
  std::uint32_t batch = 0;
};

class Shadow {
 public:
  enum class Scope : std::uint8_t {
    all,    // global memory
    batch,  // shared and private memory: marks of earlier batches are void
  };

  Shadow() = default;  // of a buffer that cannot be raced for: notes nothing
  // Keeps marks only of the kinds of access that happen.
  Shadow(std::uint32_t count, Scope scope, const Use& use) : scope_(scope) {
    if (use.loads) marks(AccessKind::read).resize(count);
    if (use.stores) marks(AccessKind::write).resize(count);
    if (use.atomics) marks(AccessKind::atomic).resize(count);
  }

  [[nodiscard]] bool is_on() const {
    return !(marks_[0].empty() && marks_[1].empty() && marks_[2].empty());
  }

  // Requires: marks of writes. In shared and private memory, whether this batch has written the
  // element.
  [[nodiscard]] bool is_written(std::uint32_t element, Epoch epoch) const {
    return marks(AccessKind::write)[element].epoch >= epoch.batch;
  }

  // Notes an access; false if it races with an earlier one.
  bool note(AccessKind kind, std::uint32_t element, std::uint32_t who, Epoch epoch) {
    for (const AccessKind other : {AccessKind::read, AccessKind::write, AccessKind::atomic}) {
      if (may_meet(kind, other)) continue;
      if (conflicts(other, element, who, epoch)) return false;
    }
    remember(kind, element, who, epoch);
    return true;
  }

  // The earlier access that note() found. Requires: note() returned false for the same arguments.
  struct Conflict {
    AccessKind kind = AccessKind::read;
    Mark mark;
  };
  [[nodiscard]] Conflict conflict(AccessKind kind, std::uint32_t element, std::uint32_t who,
                                  Epoch epoch) const {
    for (const AccessKind other : {AccessKind::write, AccessKind::atomic, AccessKind::read}) {
      if (may_meet(kind, other) || !conflicts(other, element, who, epoch)) continue;
      return {other, marks(other)[element]};
    }
    broken_invariant("a race without a conflicting access", std::source_location::current());
  }

 private:
  static constexpr bool may_meet(AccessKind a, AccessKind b) {
    return a == b && a != AccessKind::write;
  }

  [[nodiscard]] std::vector<Mark>& marks(AccessKind kind) {
    return marks_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] const std::vector<Mark>& marks(AccessKind kind) const {
    return marks_[static_cast<std::size_t>(kind)];
  }

  [[nodiscard]] bool conflicts(AccessKind other, std::uint32_t element, std::uint32_t who,
                               Epoch epoch) const {
    if (marks(other).empty()) return false;
    const Mark mark = marks(other)[element];
    if (mark.epoch == epoch.now) return mark.who != who;
    if (mark.who == Mark::everywhere) return true;
    return mark.epoch < epoch.batch && mark.epoch != 0 && scope_ == Scope::all;
  }

  void remember(AccessKind kind, std::uint32_t element, std::uint32_t who, Epoch epoch) {
    if (marks(kind).empty()) return;
    Mark& mark = marks(kind)[element];
    if (mark.who == Mark::everywhere && mark.epoch != 0) return;
    if (mark.epoch == epoch.now) {
      if (mark.who != who) mark.who = Mark::several;
    } else if (mark.epoch < epoch.batch && mark.epoch != 0 && scope_ == Scope::all) {
      mark = {epoch.now, Mark::everywhere};
    } else {
      mark = {epoch.now, who};
    }
  }

  std::vector<Mark> marks_[3];  // by AccessKind; empty where that kind of access does not happen
  Scope scope_ = Scope::all;
};

}  // namespace vyre::interpret
