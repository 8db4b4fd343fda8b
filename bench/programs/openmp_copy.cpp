#include "copy.h"

namespace vyre::bench {

void Copy::run() {
  const float* __restrict from = from_.data();
  float* __restrict to = to_.data();
  const std::size_t n = from_.size();
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

}  // namespace vyre::bench
