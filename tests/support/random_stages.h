// Stages behind a random program: values of all its invocations, kept in scratch memory, and read
// by others.
#pragma once

#include <cstdint>

#include "support/random_program.h"

namespace vyre::testing {

// Requires: made by random_program.
Generated with_random_stages(Generated from, std::uint64_t seed);

}  // namespace vyre::testing
