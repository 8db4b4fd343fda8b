#include "inverse_peers.h"

#include <lapacke.h>

#include <Eigen/Dense>
#include <cstring>

namespace vyre::bench {
namespace {

template <int n_or_dynamic>
void eigen(const float* in, float* out, int n, std::size_t begin, std::size_t end) {
  using Matrix = Eigen::Matrix<float, n_or_dynamic, n_or_dynamic, Eigen::RowMajor>;
  const Matrix identity = Matrix::Identity(n, n);
  Eigen::LLT<Matrix> llt(n);
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  for (std::size_t b = begin; b < end; ++b) {
    llt.compute(Eigen::Map<const Matrix>(in + b * size, n, n));
    Eigen::Map<Matrix>(out + b * size, n, n) = llt.solve(identity);
  }
}

}  // namespace

void eigen_inverse(const float* in, float* out, int n, std::size_t begin, std::size_t end) {
  eigen<Eigen::Dynamic>(in, out, n, begin, end);
}

void eigen_fixed_inverse(const float* in, float* out, int n, std::size_t begin, std::size_t end) {
  if (n == 8) return eigen<8>(in, out, n, begin, end);
  if (n == 16) return eigen<16>(in, out, n, begin, end);
  eigen_inverse(in, out, n, begin, end);
}

void lapack_inverse(const float* in, float* out, int n, std::size_t begin, std::size_t end) {
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  for (std::size_t b = begin; b < end; ++b) {
    float* block = out + b * size;
    std::memcpy(block, in + b * size, size * sizeof(float));
    LAPACKE_spotrf_work(LAPACK_COL_MAJOR, 'L', n, block, n);
    LAPACKE_spotri_work(LAPACK_COL_MAJOR, 'L', n, block, n);
  }
}

}  // namespace vyre::bench
