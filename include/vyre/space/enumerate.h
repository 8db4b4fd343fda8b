// All valid configurations of a definition.
//
// Exact, and pruned as it goes: parameters are bound in an order that keeps partial configurations
// few, each constraint is tested as soon as its parameters are bound, parameters that do not
// constrain each other are enumerated apart, and constraints over few combinations become tables.
#pragma once

#include <cstdint>
#include <optional>

#include "vyre/space/definition.h"
#include "vyre/space/space.h"

namespace vyre::space {

inline constexpr std::uint64_t max_enumerated = 100'000'000;
// Steps of counted work, about as many nanoseconds; see docs/spaces.md.
inline constexpr std::uint64_t default_most_work = 10'000'000'000;

struct Enumerated {
  Space space;
  // Where there are more than max_enumerated, or finding them all is too much work: about how many.
  // `space` then has a part of them, drawn at random, all equally likely, the same each time.
  std::optional<double> sampled_from;
  // Combinations for which a constraint has no value (division by zero, an integer beyond 64 bits,
  // wrong types): they are not valid. The first constraint that did so, and why.
  std::uint64_t undefined = 0;
  std::optional<Error> reason;
};

// Requires a definition made by `define`. An error if there are too many to enumerate and too few
// among all combinations to draw any; it names the constraint that is hardest to meet. Enumerating
// and drawing cost at most `most_work` each.
[[nodiscard]] Result<Enumerated> enumerate(const Definition& definition,
                                           std::uint64_t most_work = default_most_work);

}  // namespace vyre::space
