// What happened: dispatches, tunings, where decisions came from, what failed; and how often each
// primitive was called in this process.
//
// Counting costs one atomic addition. Any thread may count or read at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trial/outcome.h"
#include "vyre/primitives/pipeline.h"
#include "vyre/store/store.h"

namespace vyre::tune {

enum class Count : std::uint8_t {
  dispatches,
  tunings,
  evaluations,
  exact_matches,
  nearest_matches,
  other_adapter_matches,
  no_matches,
  compile_failures,
  timeouts,
  runtime_failures,
  wrong_results,
};
inline constexpr std::size_t count_kinds = 11;
[[nodiscard]] std::string_view name_of(Count count);
[[nodiscard]] Count count_of(store::Match match);
// Nothing for what is no failure; a member that constraints forbid was never tried.
[[nodiscard]] std::optional<Count> count_of(Verdict verdict);

// All counts at one moment.
struct Counts {
  std::array<std::uint64_t, count_kinds> of = {};
  std::vector<primitives::Calls> primitives = {};  // of the whole process
  [[nodiscard]] std::uint64_t operator[](Count count) const {
    return of[static_cast<std::size_t>(count)];
  }
};
// A line for each count that is not zero.
[[nodiscard]] std::string to_string(const Counts& counts);

class Counters {
 public:
  void add(Count count, std::uint64_t more = 1) {
    of_[static_cast<std::size_t>(count)].fetch_add(more, std::memory_order_relaxed);
  }
  [[nodiscard]] Counts read() const;

 private:
  std::array<std::atomic<std::uint64_t>, count_kinds> of_ = {};
};

}  // namespace vyre::tune
