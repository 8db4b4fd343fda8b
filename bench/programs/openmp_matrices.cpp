#include <algorithm>

#include "openmp.h"

namespace vyre::bench::openmp {
namespace {

using std::size_t;

float dot(const float* a, const float* b, size_t n) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// to += factor * from
void add(float* __restrict to, float factor, const float* __restrict from, size_t n) {
#pragma omp simd
  for (size_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

// y = the transpose of a times x, each thread with columns of its own; without x, their sums.
void transposed_product(const float* a, const float* x, float* y, size_t m, size_t n) {
  constexpr size_t block = 512;
#pragma omp parallel for schedule(static)
  for (size_t first = 0; first < n; first += block) {
    const size_t count = std::min(block, n - first);
    float sums[block] = {};
    for (size_t i = 0; i < m; ++i) {
      add(sums, x == nullptr ? 1.0F : x[i], a + i * n + first, count);
    }
    std::copy_n(sums, count, y + first);
  }
}

}  // namespace

void syrk(const Arguments& p) {
  const size_t n = p.size("n"), k = p.size("k");
  const float alpha = p.number("alpha"), beta = p.number("beta");
  const float* a = p.floats("a");
  float* c = p.floats("c");
#pragma omp parallel for schedule(dynamic, 8)
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      c[i * n + j] = alpha * dot(a + i * k, a + j * k, k) + beta * c[i * n + j];
    }
  }
}

void matvec(const Arguments& p) {
  const size_t m = p.size("m"), n = p.size("n");
  const float* a = p.floats("a");
  const float* x = p.floats("x");
  float* y = p.floats("y");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < m; ++i) y[i] = dot(a + i * n, x, n);
}

void matvec_transposed(const Arguments& p) {
  transposed_product(p.floats("a"), p.floats("x"), p.floats("y"), p.size("m"), p.size("n"));
}

void column_sums(const Arguments& p) {
  transposed_product(p.floats("a"), nullptr, p.floats("sums"), p.size("m"), p.size("n"));
}

void trmv(const Arguments& p) {
  const size_t n = p.size("n");
  const float* l = p.floats("l");
  const float* x = p.floats("x");
  float* y = p.floats("y");
#pragma omp parallel for schedule(dynamic, 32)
  for (size_t i = 0; i < n; ++i) y[i] = dot(l + i * n, x, i + 1);
}

void trmm(const Arguments& p) {
  const size_t n = p.size("n"), m = p.size("m");
  const float* l = p.floats("l");
  const float* b = p.floats("b");
  float* c = p.floats("c");
#pragma omp parallel for schedule(dynamic, 8)
  for (size_t i = 0; i < n; ++i) {
    std::fill_n(c + i * m, m, 0.0F);
    for (size_t k = 0; k <= i; ++k) add(c + i * m, l[i * n + k], b + k * m, m);
  }
}

void gemm_scaled(const Arguments& p) {
  const size_t m = p.size("m"), n = p.size("n"), k = p.size("k");
  const float alpha = p.number("alpha"), beta = p.number("beta");
  const float* a = p.floats("a");
  const float* b = p.floats("b");
  float* c = p.floats("c");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) c[i * n + j] *= beta;
    for (size_t l = 0; l < k; ++l) add(c + i * n, alpha * a[i * k + l], b + l * n, n);
  }
}

void gemm_1024(const Arguments& p) {
  const size_t m = p.size("m"), n = p.size("n"), k = p.size("k");
  const float* a = p.floats("a");
  const float* b = p.floats("b");
  float* c = p.floats("c");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < m; ++i) {
    std::fill_n(c + i * n, n, 0.0F);
    for (size_t l = 0; l < k; ++l) add(c + i * n, a[i * k + l], b + l * n, n);
  }
}

void mvt(const Arguments& p) {
  const size_t n = p.size("n");
  const float* a = p.floats("a");
  const float* y1 = p.floats("y1");
  const float* y2 = p.floats("y2");
  float* x1 = p.floats("x1");
  float* x2 = p.floats("x2");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; ++i) x1[i] += dot(a + i * n, y1, n);
#pragma omp parallel for reduction(+ : x2[ : n]) schedule(static)
  for (size_t i = 0; i < n; ++i) add(x2, y2[i], a + i * n, n);
}

// Both products of a row while it is in the cache.
void bicg(const Arguments& p) {
  const size_t n = p.size("n");
  const float* a = p.floats("a");
  const float* direction = p.floats("p");
  const float* r = p.floats("r");
  float* q = p.floats("q");
  float* s = p.floats("s");
  std::fill_n(s, n, 0.0F);
#pragma omp parallel for reduction(+ : s[ : n]) schedule(static)
  for (size_t i = 0; i < n; ++i) {
    q[i] = dot(a + i * n, direction, n);
    add(s, r[i], a + i * n, n);
  }
}

void gesummv(const Arguments& p) {
  const size_t n = p.size("n");
  const float alpha = p.number("alpha"), beta = p.number("beta");
  const float* a = p.floats("a");
  const float* b = p.floats("b");
  const float* x = p.floats("x");
  float* y = p.floats("y");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; ++i) {
    y[i] = alpha * dot(a + i * n, x, n) + beta * dot(b + i * n, x, n);
  }
}

void covariance(const Arguments& p) {
  const size_t samples = p.size("samples"), m = p.size("m");
  const float* x = p.floats("x");
  const float* mean = p.floats("mean");
  float* cov = p.floats("cov");
  const float scale = 1.0F / static_cast<float>(samples - 1);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < m; ++i) {
    float* __restrict row = cov + i * m;
    std::fill_n(row, m, 0.0F);
    for (size_t k = 0; k < samples; ++k) {
      const float d = (x[k * m + i] - mean[i]) * scale;
#pragma omp simd
      for (size_t j = 0; j < m; ++j) row[j] += d * (x[k * m + j] - mean[j]);
    }
  }
}

void spmv(const Arguments& p) {
  const size_t rows = p.size("rows");
  const std::uint32_t* start = p.words("start");
  const std::uint32_t* column = p.words("column");
  const float* value = p.floats("value");
  const float* x = p.floats("x");
  float* y = p.floats("y");
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = start[row]; i < start[row + 1]; ++i) sum += value[i] * x[column[i]];
    y[row] = sum;
  }
}

void transpose(const Arguments& p) {
  constexpr size_t block = 16;
  const size_t w = p.size("w"), h = p.size("h");
  const float* __restrict a = p.floats("a");
  float* __restrict t = p.floats("t");
#pragma omp parallel for collapse(2) schedule(static)
  for (size_t left = 0; left < w; left += block) {
    for (size_t top = 0; top < h; top += block) {
      const size_t right = std::min(left + block, w), bottom = std::min(top + block, h);
      for (size_t x = left; x < right; ++x) {
        for (size_t y = top; y < bottom; ++y) t[x * h + y] = a[y * w + x];
      }
    }
  }
}

}  // namespace vyre::bench::openmp
