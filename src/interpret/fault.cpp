#include "interpret/fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "vyre/ir/text.h"

namespace vyre::interpret::fault {
namespace {

std::string named(const Extent& invocation) {
  return fmt::format("invocation ({}, {}, {})", invocation[0], invocation[1], invocation[2]);
}

Error error(const ir::Stmt& stmt, std::string_view what) {
  return {ErrorKind::run, fmt::format("`{}`: {}", ir::print_head(stmt), what), stmt.place};
}

std::string_view present(AccessKind kind) {
  if (kind == AccessKind::read) return "reads";
  return kind == AccessKind::write ? "writes" : "atomically adds to";
}

std::string_view past(AccessKind kind) {
  if (kind == AccessKind::read) return "read";
  return kind == AccessKind::write ? "wrote" : "atomically added to";
}

std::string_view kind_of(const Memory& memory) {
  if (memory.is_private()) return "private ";
  if (memory.is_scratch()) return "scratch ";
  return memory.is_shared() ? "shared " : "";
}

// "element 7 of buffer 'x'", "elements 6 to 9 of shared buffer 's'".
std::string elements(const Memory& memory, std::uint64_t first, std::uint32_t lanes) {
  const std::string which = lanes == 1 ? fmt::format("element {}", first)
                                       : fmt::format("elements {} to {}", first, first + lanes - 1);
  return fmt::format("{} of {}buffer '{}'", which, kind_of(memory), memory.buffer->name);
}

std::string out_of_bounds(const AccessFault& fault, const Access& access, const Memory& memory) {
  return fmt::format("{} {}, which has {}; test the index first", present(fault.kind),
                     elements(memory, fault.element, access.lanes), memory.count);
}

std::string_view writer_of(const Memory& memory) {
  if (memory.is_private()) return "it";
  return memory.is_scratch() ? "nobody" : "its group";
}

std::string uninitialised(const AccessFault& fault, const Memory& memory) {
  return fmt::format("{} {}, which {} has {}written; {}memory starts undefined",
                     present(fault.kind), elements(memory, fault.element, 1), writer_of(memory),
                     memory.is_scratch() ? "" : "not ", kind_of(memory));
}

// Who made the earlier access of a race.
std::string other_party(const Mark& mark, const Batches& batches, Epoch epoch) {
  const bool is_earlier = mark.epoch < epoch.batch;
  if (mark.who == Mark::everywhere && batches.are_groups()) return "invocations of several groups";
  if (mark.who == Mark::several && batches.are_groups() && is_earlier) {
    return "invocations of another group";
  }
  if (mark.who == Mark::everywhere || mark.who == Mark::several) return "several invocations";
  if (!is_earlier) return named(batches.invocation(mark.who));
  if (batches.are_groups()) return "an invocation of another group";
  return named(batches.earlier(mark.epoch - 1, mark.who));  // a strip is one epoch
}

std::string race(const AccessFault& fault, const Memory& memory, const Batches& batches,
                 Epoch epoch) {
  const Shadow::Conflict conflict =
      memory.shadow.conflict(fault.kind, fault.element, fault.position, epoch);
  return fmt::format(
      "{} {}, which {} {} with no barrier between: a data race; barriers order only the "
      "invocations of one group",
      present(fault.kind), elements(memory, fault.element, 1),
      other_party(conflict.mark, batches, epoch), past(conflict.kind));
}

}  // namespace

Error access(const AccessFault& fault, const Access& access, const Memory& memory,
             const Batches& batches, Epoch epoch) {
  std::string what;
  switch (fault.reason) {
    case AccessFault::Reason::out_of_bounds:
      what = out_of_bounds(fault, access, memory);
      break;
    case AccessFault::Reason::uninitialised:
      what = uninitialised(fault, memory);
      break;
    case AccessFault::Reason::race:
      what = race(fault, memory, batches, epoch);
      break;
  }
  return error(*access.stmt, fmt::format("{} {}", named(batches.invocation(fault.position)), what));
}

Error divergent_barrier(const ir::Stmt& stmt, const Frame& frame, const Batches& batches) {
  const Active& active = frame.active;
  const std::uint32_t* mask = frame.cells<const std::uint32_t>(active.mask);
  const std::uint32_t absent =
      active.first > 0 ? 0
                       : static_cast<std::uint32_t>(std::find(mask, mask + active.last, 0U) - mask);
  return error(stmt,
               fmt::format("only {} of the group's {} invocations reach the barrier together: {} "
                           "waits, {} does not; move the barrier to where all pass",
                           active.count, batches.size(), named(batches.invocation(active.first)),
                           named(batches.invocation(absent))));
}

Error too_many_steps(const ir::Stmt& stmt, std::uint64_t limit, const Frame& frame,
                     const Batches& batches) {
  Error made =
      error(stmt, fmt::format("the limit of {} steps is reached in {}; look for a loop that "
                              "does not end, or raise the limit",
                              limit, named(batches.invocation(frame.active.first))));
  made.kind = ErrorKind::timeout;
  return made;
}

Error too_many_epochs() {
  return {ErrorKind::run, "the launch passes more than 4294967294 groups and barriers", {}};
}

}  // namespace vyre::interpret::fault
