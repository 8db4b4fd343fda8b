#include <cmath>
#include <cstddef>
#include <vector>

#include "vyre/primitives/newton_schulz.h"

namespace vyre::primitives {
namespace {

// A square matrix by rows.
struct Matrix {
  std::vector<double> values;
  std::size_t n = 0;
  double& operator()(std::size_t i, std::size_t j) { return values[i * n + j]; }
};

// The cosine and sine of the rotation that makes a(p, q) zero.
std::pair<double, double> rotation(Matrix& a, std::size_t p, std::size_t q) {
  const double slope = (a(q, q) - a(p, p)) / (2 * a(p, q));
  const double tangent = std::copysign(1.0, slope) / (std::abs(slope) + std::hypot(1.0, slope));
  const double cosine = 1 / std::hypot(1.0, tangent);
  return {cosine, cosine * tangent};
}

void rotate(double& x, double& y, double cosine, double sine) {
  const double turned = cosine * x - sine * y;
  y = sine * x + cosine * y;
  x = turned;
}

void eliminate(Matrix& a, Matrix& vectors, std::size_t p, std::size_t q) {
  if (a(p, q) == 0) return;
  const auto [cosine, sine] = rotation(a, p, q);
  for (std::size_t i = 0; i < a.n; ++i) rotate(a(i, p), a(i, q), cosine, sine);
  for (std::size_t i = 0; i < a.n; ++i) rotate(a(p, i), a(q, i), cosine, sine);
  for (std::size_t i = 0; i < a.n; ++i) rotate(vectors(i, p), vectors(i, q), cosine, sine);
}

}  // namespace

void inverse_sqrt_reference(std::span<const double> m, std::uint32_t n, std::span<double> root) {
  Matrix a{{m.begin(), m.end()}, n};
  Matrix vectors{std::vector<double>(m.size()), n};
  for (std::size_t i = 0; i < n; ++i) vectors(i, i) = 1;
  constexpr int sweeps = 12;  // it converges quadratically; 6 to 10 are enough in practice
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) eliminate(a, vectors, p, q);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double& sum = root[i * n + j];
      sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += vectors(i, k) * vectors(j, k) / std::sqrt(a(k, k));
    }
  }
}

}  // namespace vyre::primitives
