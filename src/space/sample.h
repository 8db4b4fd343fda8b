// Configurations drawn from a definition, all equally likely, without enumerating it: for spaces of
// which there is not the time or the memory to list everything.
//
// Groups of parameters that constrain each other are drawn one by one. A group that is small enough
// is enumerated. Of a larger one the valid beginnings are enumerated as far as they are few; a draw
// takes one of them, adds any values, and is thrown away if a constraint does not hold. Every valid
// configuration has the same chance, and the share of draws kept tells how many there are.
#pragma once

#include <cstdint>

#include "space/check.h"
#include "vyre/space/definition.h"
#include "vyre/space/enumerate.h"
#include "vyre/space/space.h"

namespace vyre::space {

struct SampleOptions {
  std::uint32_t count = 10'000;  // different configurations; fewer if there are not so many
  std::uint64_t seed = 0;
  std::uint64_t most_work = default_most_work;
};

struct Sampled {
  Space space;                // what was drawn, in the order of drawing
  double estimated_size = 0;  // of the whole space; exact if all its groups were enumerated
  Tally tally;                // of the way
};

// Requires a definition made by `define`. When the work is exhausted there are fewer than `count`;
// an error, which names the constraint that holds least often, if there are none.
[[nodiscard]] Result<Sampled> sample(const Definition& definition,
                                     const SampleOptions& options = {});

}  // namespace vyre::space
