// The heat equation as a C++ programmer would write it for two threads.
#pragma once

#include <cstddef>

namespace vyre::bench {

// `steps` steps on an n x n field with a border that stays as it is, from u to v and back. What
// both hold outside is equal at the start.
void heat_openmp(float* u, float* v, std::size_t n, int steps);

}  // namespace vyre::bench
