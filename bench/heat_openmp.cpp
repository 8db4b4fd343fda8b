#include "heat_openmp.h"

#include <utility>

namespace vyre::bench {

void heat_openmp(float* u, float* v, std::size_t n, int steps) {
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static) num_threads(2)
    for (std::size_t y = 1; y < n - 1; ++y) {
      const float* up = u + (y - 1) * n;
      const float* here = u + y * n;
      const float* down = u + (y + 1) * n;
      float* out = v + y * n;
      for (std::size_t x = 1; x < n - 1; ++x) {
        out[x] = here[x] + 0.1F * (here[x - 1] + here[x + 1] + up[x] + down[x] - 4.0F * here[x]);
      }
    }
    std::swap(u, v);
  }
}

}  // namespace vyre::bench
