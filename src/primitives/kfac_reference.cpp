// The f64 reference of kfac_block_inverse: Gauss-Jordan on [A | I] with partial pivoting.
#include <algorithm>
#include <cmath>
#include <vector>

#include "vyre/primitives/kfac.h"

namespace vyre::primitives {

bool kfac_block_inverse_reference(std::span<const double> in, std::uint32_t n,
                                  std::span<double> out) {
  std::vector<double> a(in.begin(), in.end());
  std::ranges::fill(out, 0.0);
  for (std::size_t i = 0; i < n; ++i) out[i * n + i] = 1;
  const auto row = [n](auto& of, std::size_t r) { return of.begin() + static_cast<long>(r * n); };
  for (std::size_t p = 0; p < n; ++p) {
    std::size_t pivot = p;
    for (std::size_t r = p + 1; r < n; ++r) {
      if (std::abs(a[r * n + p]) > std::abs(a[pivot * n + p])) pivot = r;
    }
    const double value = a[pivot * n + p];
    if (value == 0 || !std::isfinite(value)) return false;
    std::swap_ranges(row(a, p), row(a, p + 1), row(a, pivot));
    std::swap_ranges(row(out, p), row(out, p + 1), row(out, pivot));
    for (std::size_t c = 0; c < n; ++c) {
      a[p * n + c] /= value;
      out[p * n + c] /= value;
    }
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = a[r * n + p];
      if (r == p || factor == 0) continue;
      for (std::size_t c = 0; c < n; ++c) {
        a[r * n + c] -= factor * a[p * n + c];
        out[r * n + c] -= factor * out[p * n + c];
      }
    }
  }
  return true;
}

}  // namespace vyre::primitives
