#include "ir/history.h"

#include <algorithm>

#include "ir/origin.h"

namespace vyre::ir {
namespace {

using Gap = std::pair<History::Time, History::Time>;

// Whether one of the sorted times is after `from`, before `to` and in none of the gaps.
bool any_between(std::span<const History::Time> times, History::Time from, History::Time to,
                 std::span<const Gap> gaps) {
  for (auto t = std::ranges::upper_bound(times, from); t != times.end() && *t < to; ++t) {
    const bool in_gap = std::ranges::any_of(
        gaps, [&](const Gap& gap) { return gap.first < *t && *t < gap.second; });
    if (!in_gap) return true;
  }
  return false;
}

}  // namespace

std::uint32_t History::enter(SourceLocation at) {
  entries_.push_back({.at = at, .time = ++clock_, .block = innermost()});
  return static_cast<std::uint32_t>(entries_.size() - 1);
}

Error History::located(const Error& problem) const {
  return written_at(problem.message, entry(problem.place).at);
}

void History::open(std::uint32_t entry, std::size_t index, BlockKind kind) {
  const auto made = static_cast<BlockId>(spans_.size());
  spans_.push_back({.parent = innermost(), .kind = kind, .begin = ++clock_});
  if (kind == BlockKind::otherwise) spans_.back().sibling = entries_[entry].inside[0];
  entries_[entry].inside[index] = made;
  open_.push_back(made);
}

void History::close() {
  spans_[innermost()].end = ++clock_;
  open_.pop_back();
}

void History::read(const Expr& value) { reads_.insert({&*value, {value, ++clock_, innermost()}}); }

void History::named(const Expr& name) { names_.insert({&*name, {name, ++clock_, innermost()}}); }

const History::Read* History::find_read(const Expr& expr) const {
  const auto found = reads_.find(&*expr);
  return found == reads_.end() ? nullptr : &found->second;
}

std::optional<History::BlockId> History::home(const Expr& expr) const {
  const auto found = names_.find(&*expr);
  if (found == names_.end()) return std::nullopt;
  return found->second.block;
}

bool History::is_inside(BlockId block, BlockId of) const {
  while (block != of && block != root) block = spans_[block].parent;
  return block == of;
}

std::span<const History::Time> History::changes(const std::string& name) const {
  const auto found = changes_.find(name);
  if (found == changes_.end()) return {};
  return found->second;
}

bool History::is_stale(const Read& read, Time time, BlockId block) const {
  // All of a loop that was entered since lies between, also what comes after the use; the other
  // branch of an if does not.
  Time until = time;
  std::vector<Gap> gaps;
  for (; spans_[block].begin > read.time; block = spans_[block].parent) {
    const BlockSpan& span = spans_[block];
    if (span.kind == BlockKind::loop) {
      until = span.end;
      gaps.clear();
    }
    if (span.kind == BlockKind::otherwise) {
      gaps.emplace_back(spans_[span.sibling].begin, spans_[span.sibling].end);
    }
  }
  const auto* load = as<Load>(read.expr);
  const std::string& name = load != nullptr ? load->buffer : as<Var>(read.expr)->name;
  return any_between(changes(name), read.time, until, gaps) ||
         (load != nullptr && any_between(barriers_, read.time, until, gaps));
}

}  // namespace vyre::ir
