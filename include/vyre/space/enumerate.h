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

struct EnumerateOptions {
  std::uint64_t most = 100'000'000;  // valid configurations; beyond, the space has to be sampled
};

struct Enumerated {
  Space space;
  // Combinations for which a constraint has no value (division by zero, an integer beyond 64 bits,
  // wrong types): they are not valid. The first constraint that did so, and why.
  std::uint64_t undefined = 0;
  std::optional<Error> reason;
};

// Requires a definition made by `define`.
[[nodiscard]] Result<Enumerated> enumerate(const Definition& definition,
                                           const EnumerateOptions& options = {});

}  // namespace vyre::space
