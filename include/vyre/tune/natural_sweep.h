// The measured natural-gradient sweep: rounds in which every candidate is timed, then the candidate
// that the policy selects, again and again, each time with what is known by then.
//
//   w = softmax(-t / T),   p = M w,   the next probe = the largest of p
//
// M is given, or estimated from recent rounds on the device: F^(-1/2), F being the covariance of
// d log t / d log size (of log t where sizes do not tell candidates apart), damped. It is the
// identity while there are fewer rounds than candidates. Errors have a type, because a caller goes
// on differently after each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/base/expected.h"
#include "vyre/base/launch.h"
#include "vyre/device/device.h"

namespace vyre::tune {

// A workgroup and what it took.
struct Timed {
  Extent workgroup = {64, 1, 1};
  std::uint64_t ns = 0;
  bool operator==(const Timed&) const = default;
};

// Measures one workgroup, in nanoseconds.
using Timer = std::function<Result<std::uint64_t>(const Extent& workgroup)>;

enum class PolicyFault : std::uint8_t {
  no_measurements,
  zero_temperature,
  wrong_matrix,  // not n x n for n candidates
  failed,        // the timer or the device: the error is theirs
};
[[nodiscard]] std::string_view name_of(PolicyFault fault);

// An Error, and where only that is wanted it is one: VYRE_TRY takes it.
struct PolicyError : Error {
  PolicyFault fault = PolicyFault::failed;
  std::optional<Extent> candidate = {};  // whose timing failed

  bool operator==(const PolicyError&) const = default;
};
template <class T>
using PolicyResult = Expected<T, PolicyError>;

inline constexpr std::uint64_t default_temperature = 10'000;  // nanoseconds

struct PolicyStep {
  Timed selected;
  Timed fastest;                             // measured; of equals the first
  std::vector<std::int32_t> weights;         // Q16.16; sum to 65536
  std::vector<std::int64_t> preconditioned;  // M w; of equals the faster is selected
};

struct NaturalSweepOptions {
  std::uint64_t temperature = default_temperature;
  // n x n for n candidates, row major, in Q16.16; without it, it is estimated.
  std::optional<std::vector<std::int32_t>> matrix = {};
  // Of all candidates; 0: one if the matrix is given, else as many as an estimate needs.
  std::size_t rounds = 0;
  std::size_t probes = 4;  // of what is selected
};

// The last step, and what it rests on.
struct NaturalSweep : PolicyStep {
  std::vector<Timed> measured;  // the median of each candidate, in their order
  std::vector<std::int32_t> matrix;
  std::size_t timings = 0;
};

// Times the candidates in order. The first failure of the timer ends it and is the error, with the
// candidate. Weights and matrix are computed on the device.
[[nodiscard]] PolicyResult<NaturalSweep> natural_sweep(device::Device& device,
                                                       std::span<const Extent> candidates,
                                                       const Timer& timer,
                                                       const NaturalSweepOptions& options = {});

}  // namespace vyre::tune
