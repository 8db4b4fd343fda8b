// Invariants inside vyre. A broken one is a bug in vyre, not a user's mistake: it stops the
// program.
#pragma once

#include <source_location>

namespace vyre {

[[noreturn]] void broken_invariant(const char* what, std::source_location where);

inline void check(bool holds, const char* what,
                  std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]] {
    broken_invariant(what, where);
  }
}

}  // namespace vyre
