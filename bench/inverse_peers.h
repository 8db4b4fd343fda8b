// The peers of kfac_block_inverse: inverses of symmetric positive definite blocks, one after the
// other, from `in` to `out`, row major.
#pragma once

#include <cstddef>

namespace vyre::bench {

// Eigen's LLT, for sizes known only at run time, and for 8 and 16 also with the size compiled in.
void eigen_inverse(const float* in, float* out, int n, std::size_t begin, std::size_t end);
void eigen_fixed_inverse(const float* in, float* out, int n, std::size_t begin, std::size_t end);

// LAPACK's potrf and potri as OpenBLAS has them, on one thread; gives only one triangle.
void lapack_inverse(const float* in, float* out, int n, std::size_t begin, std::size_t end);

}  // namespace vyre::bench
