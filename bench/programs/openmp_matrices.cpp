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

// Sixteen systems side by side, an element of each in one vector.
void solve_4x4(const Arguments& p) {
  constexpr size_t lanes = 16;
  const size_t n = p.size("n");
  const float* a = p.floats("a");
  const float* b = p.floats("b");
  float* x = p.floats("x");
#pragma omp parallel for schedule(static)
  for (size_t first = 0; first < n; first += lanes) {
    const size_t count = std::min(lanes, n - first);
    float m[16][lanes] = {};
    float v[4][lanes] = {};
    float factor[lanes] = {};
    for (size_t l = 0; l < count; ++l) {
      for (size_t k = 0; k < 16; ++k) m[k][l] = a[(first + l) * 16 + k];
      for (size_t k = 0; k < 4; ++k) v[k][l] = b[(first + l) * 4 + k];
    }
    for (size_t k = 0; k < 4; ++k) {
      for (size_t r = k + 1; r < 4; ++r) {
#pragma omp simd
        for (size_t l = 0; l < lanes; ++l) {
          factor[l] = m[r * 4 + k][l] / m[k * 4 + k][l];
          v[r][l] -= factor[l] * v[k][l];
        }
        for (size_t c = k + 1; c < 4; ++c) {
#pragma omp simd
          for (size_t l = 0; l < lanes; ++l) m[r * 4 + c][l] -= factor[l] * m[k * 4 + c][l];
        }
      }
    }
    for (size_t r = 4; r-- > 0;) {
      for (size_t c = r + 1; c < 4; ++c) {
#pragma omp simd
        for (size_t l = 0; l < lanes; ++l) v[r][l] -= m[r * 4 + c][l] * v[c][l];
      }
#pragma omp simd
      for (size_t l = 0; l < lanes; ++l) v[r][l] /= m[r * 4 + r][l];
    }
    for (size_t l = 0; l < count; ++l) {
      for (size_t k = 0; k < 4; ++k) x[(first + l) * 4 + k] = v[k][l];
    }
  }
}

// Each thread has sums of its own, so that additions need not be atomic.
void coo_spmv(const Arguments& p) {
  const size_t rows = p.size("rows"), entries = p.size("entries");
  const std::uint32_t* row = p.words("row");
  const std::uint32_t* column = p.words("column");
  const float* value = p.floats("value");
  const float* x = p.floats("x");
  float* y = p.floats("y");
#pragma omp parallel
  {
    std::vector<float> own(rows);
    float* __restrict sums = own.data();
#pragma omp for schedule(static)
    for (size_t i = 0; i < entries; ++i) sums[row[i]] += value[i] * x[column[i]];
#pragma omp critical
    {
      for (size_t i = 0; i < rows; ++i) y[i] += sums[i];
    }
  }
}

// A block of systems, an equation of each in vectors, so that the way back finds them in the cache.
void tridiagonal(const Arguments& p) {
  constexpr size_t block = 512;
  const size_t systems = p.size("systems"), n = p.size("n");
  const float* below = p.floats("below");
  const float* diagonal = p.floats("diagonal");
  const float* above = p.floats("above");
  const float* right = p.floats("right");
  float* work = p.floats("work");
  float* x = p.floats("x");
#pragma omp parallel for schedule(static)
  for (size_t first = 0; first < systems; first += block) {
    const size_t last = std::min(first + block, systems);
#pragma omp simd
    for (size_t s = first; s < last; ++s) {
      work[s] = above[s] / diagonal[s];
      x[s] = right[s] / diagonal[s];
    }
    for (size_t k = 1; k < n; ++k) {
      const size_t row = k * systems;
      const float* __restrict old_work = work + row - systems;
      const float* __restrict old_x = x + row - systems;
      float* __restrict new_work = work + row;
      float* __restrict new_x = x + row;
#pragma omp simd
      for (size_t s = first; s < last; ++s) {
        const float scale = 1.0F / (diagonal[row + s] - below[row + s] * old_work[s]);
        new_work[s] = above[row + s] * scale;
        new_x[s] = (right[row + s] - below[row + s] * old_x[s]) * scale;
      }
    }
    for (size_t k = n - 1; k-- > 0;) {
      const float* __restrict factor = work + k * systems;
      const float* __restrict later = x + (k + 1) * systems;
      float* __restrict to = x + k * systems;
#pragma omp simd
      for (size_t s = first; s < last; ++s) to[s] -= factor[s] * later[s];
    }
  }
}

}  // namespace vyre::bench::openmp
