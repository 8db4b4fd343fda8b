// The part of Ranges that walks statements: branches, and what loops leave as it was.
#include <algorithm>

#include "ir/range.h"
#include "ir/visit.h"

namespace vyre::ir {
namespace {

// Trying out what a loop keeps walks its body a few times, and the loops in it as often again.
constexpr std::uint32_t max_tried_depth = 3;
constexpr int max_tries = 3;

std::uint32_t loop_depth(const Block& block) {
  std::uint32_t deepest = 0;
  for (const Stmt& stmt : block) {
    const std::uint32_t own = is<For>(stmt) || is<While>(stmt) ? 1 : 0;
    for_each_block(
        stmt, [&](const Block& inner) { deepest = std::max(deepest, own + loop_depth(inner)); });
  }
  return deepest;
}

}  // namespace

void Ranges::pass(const Block& block) {
  for (const Stmt& stmt : block) {
    match(
        stmt, [&](const Let& s) { pass(s); }, [&](const Assign& s) { pass(s); },
        [](const OneOf<Store, AtomicAdd, Break, Barrier> auto&) {}, [&](const If& s) { pass(s); },
        [&](const OneOf<For, While> auto& s) { enter(s); },
        [&](const Region& s) {
          const std::size_t start = mark();
          pass(s.body);
          keep(undo(start));
        });
  }
}

void Ranges::pass(const If& branch) {
  const std::size_t start = mark();
  assume(branch.cond, true);
  pass(branch.then);
  const Changes after_then = undo(start);
  assume(branch.cond, false);
  pass(branch.otherwise);
  join(after_then, undo(start));
}

Interval Ranges::enter(const For& loop) {
  const Interval values =
      loop_values(of(loop.begin), of(loop.end), of(loop.step), loop.begin.type().scalar);
  widen_assigned(loop.body, [&] { know(loop.name, values); });
  return values;
}

// Who leaves in the middle takes along what was assigned until then.
void Ranges::enter(const While& loop) {
  if (has_break(loop.body)) return forget(known_assigned(loop.body));
  widen_assigned(loop.body, [&] { assume(loop.cond, true); });
}

void Ranges::forget(const Assigned& assigned) {
  for (const auto& [name, scalar] : assigned) set(name, full_range(scalar));
}

// Finds bounds that the body keeps: those from before the loop, or, where an iteration leaves them,
// without limit on that side; of these, what an iteration can give is enough. If even that fails,
// nothing is known. `begin` says what holds at the start of every iteration.
template <class Begin>
void Ranges::widen_assigned(const Block& body, const Begin& begin) {
  const Assigned assigned = known_assigned(body);
  if (assigned.empty()) return;
  Changes before;
  for (const auto& [name, scalar] : assigned) before.emplace(name, known_.at(name));
  if (loop_depth(body) < max_tried_depth) {
    for (int tries = 0; tries < max_tries; ++tries) {
      const std::size_t start = mark();
      begin();
      pass(body);
      const Changes after = undo(start);
      if (!widen(assigned, after)) return join(before, after);
    }
  }
  forget(assigned);
}

bool Ranges::widen(const Assigned& assigned, const Changes& after) {
  bool grown = false;
  for (const auto& [name, scalar] : assigned) {
    const auto found = after.find(name);
    const Interval was = known_.at(name);
    if (found == after.end() || found->second.within(was)) continue;
    const Interval all = full_range(scalar);
    set(name,
        {found->second.lo < was.lo ? all.lo : was.lo, found->second.hi > was.hi ? all.hi : was.hi});
    grown = true;
  }
  return grown;
}

Ranges::Assigned Ranges::known_assigned(const Block& body) const {
  Assigned assigned;
  for_each_stmt(body, [&](const Stmt& stmt) {
    const auto* n = as<Assign>(stmt);
    if (n == nullptr || !known_.contains(n->name)) return;
    assigned.emplace(n->name, n->value.type().scalar);
  });
  return assigned;
}

}  // namespace vyre::ir
