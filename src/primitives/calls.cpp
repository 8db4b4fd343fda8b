#include "primitives/calls.h"

#include <map>
#include <mutex>

namespace vyre::primitives {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, CallCounter> counters;
};

// Never destroyed: threads may still launch while the process ends.
Registry& registry() {
  static auto* const made = new Registry;
  return *made;
}

}  // namespace

std::vector<Calls> calls() {
  Registry& all = registry();
  const std::lock_guard guard(all.mutex);
  std::vector<Calls> made;
  for (const auto& [program, counter] : all.counters) {
    if (const std::uint64_t now = counter.launches(); now > 0) made.push_back({program, now});
  }
  return made;
}

CallCounter& call_counter(const std::string& program) {
  Registry& all = registry();
  const std::lock_guard guard(all.mutex);
  return all.counters[program];
}

}  // namespace vyre::primitives
