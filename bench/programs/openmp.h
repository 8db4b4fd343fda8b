// The programs of the set as a C++ programmer would write them: plain loops in an order that suits
// the cache, one `parallel for`, vectors along the innermost loop. Compiled with
// -O3 -march=native -fopenmp -ffast-math; as many threads as there are cores.
#pragma once

#include "arguments.h"

namespace vyre::bench::openmp {

// openmp_matrices.cpp
void syrk(const Arguments& arguments);
void matvec(const Arguments& arguments);
void matvec_transposed(const Arguments& arguments);
void column_sums(const Arguments& arguments);
void trmv(const Arguments& arguments);
void trmm(const Arguments& arguments);
void gemm_scaled(const Arguments& arguments);
void gemm_1024(const Arguments& arguments);
void mvt(const Arguments& arguments);
void bicg(const Arguments& arguments);
void gesummv(const Arguments& arguments);
void covariance(const Arguments& arguments);
void spmv(const Arguments& arguments);
void transpose(const Arguments& arguments);
void solve_4x4(const Arguments& arguments);
void coo_spmv(const Arguments& arguments);
void tridiagonal(const Arguments& arguments);

// openmp_rows.cpp
void softmax(const Arguments& arguments);
void layer_norm(const Arguments& arguments);
void prefix_sums(const Arguments& arguments);
void attention(const Arguments& arguments);
void argmax_rows(const Arguments& arguments);
void kmeans(const Arguments& arguments);
void pairwise_distances(const Arguments& arguments);
void nbody(const Arguments& arguments);
void nbody_cutoff(const Arguments& arguments);
void nearest(const Arguments& arguments);
void row_extremes(const Arguments& arguments);
void cross_entropy(const Arguments& arguments);
void dilated_conv(const Arguments& arguments);

// openmp_fields.cpp
void blur(const Arguments& arguments);
void sobel(const Arguments& arguments);
void conv3x3(const Arguments& arguments);
void depthwise_conv(const Arguments& arguments);
void bilinear_upsample(const Arguments& arguments);
void jacobi2d(const Arguments& arguments);
void median3x3(const Arguments& arguments);
void conv_layer(const Arguments& arguments);
void heat3d(const Arguments& arguments);
void mandelbrot(const Arguments& arguments);
void avg_pool(const Arguments& arguments);
void lattice_boltzmann(const Arguments& arguments);
void life(const Arguments& arguments);

// openmp_elements.cpp
void histogram(const Arguments& arguments);
void grid_counts(const Arguments& arguments);
void dot_product(const Arguments& arguments);
void vector_norm(const Arguments& arguments);
void weighted_histogram(const Arguments& arguments);
void batch_norm(const Arguments& arguments);
void horner(const Arguments& arguments);
void rgb_to_gray(const Arguments& arguments);
void gamma_correct(const Arguments& arguments);
void gelu(const Arguments& arguments);
void binomial(const Arguments& arguments);
void black_scholes(const Arguments& arguments);
void axpby(const Arguments& arguments);
void complex_multiply(const Arguments& arguments);
void hash_bits(const Arguments& arguments);
void sample_sums(const Arguments& arguments);
void monte_carlo(const Arguments& arguments);

}  // namespace vyre::bench::openmp
