#include "store/shelf.h"

#include <algorithm>

namespace vyre::store {

Shelf::Shelf(Header header, const Entries& entries) : header_(std::move(header)) {
  for (const auto& [key, entry] : entries) {
    const auto& evidence = entry->decision.evidence;
    if (evidence) by_program_[evidence->dispatch.program].push_back(entry);
  }
  // The order of a hash table is nobody's choice.
  for (auto& [program, entries_of_it] : by_program_) {
    std::ranges::sort(entries_of_it, {},
                      [](const EntryPtr& entry) { return entry->decision.key.digest; });
  }
}

std::optional<Nearest> Shelf::nearest(const Dispatch& dispatch) const {
  const auto found = by_program_.find(dispatch.program);
  if (found == by_program_.end()) return {};
  Nearest best;
  for (const EntryPtr& entry : found->second) {
    const double away = distance(entry->decision.evidence->dispatch, dispatch);
    const bool closer = !best.entry || away < best.distance ||
                        (away == best.distance && better(entry->decision, best.entry->decision));
    if (closer) best = {entry, away};
  }
  return best;
}

}  // namespace vyre::store
