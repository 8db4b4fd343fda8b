#include <algorithm>
#include <cmath>

#include "openmp.h"

namespace vyre::bench::openmp {
namespace {

using std::size_t;

// The normal distribution (Abramowitz and Stegun 26.2.17).
inline float normal(float d) {
  const float k = 1.0F / (1.0F + 0.2316419F * std::fabs(d));
  const float p =
      k * (0.31938153F +
           k * (-0.356563782F + k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F))));
  const float tail = 0.39894228F * std::exp(-0.5F * d * d) * p;
  return d > 0 ? 1.0F - tail : tail;
}

}  // namespace

void histogram(const Arguments& p) {
  const size_t n = p.size("n");
  const std::uint32_t* x = p.words("x");
  std::uint32_t* bins = p.words("bins");
#pragma omp parallel for reduction(+ : bins[ : 256]) schedule(static)
  for (size_t i = 0; i < n; ++i) ++bins[x[i] & 255U];
}

void grid_counts(const Arguments& p) {
  const size_t n = p.size("n");
  const float* x = p.floats("x");
  const float* y = p.floats("y");
  std::uint32_t* counts = p.words("counts");
#pragma omp parallel for reduction(+ : counts[ : 1024]) schedule(static)
  for (size_t i = 0; i < n; ++i) {
    const int column = static_cast<int>((x[i] + 1.0F) * 16.0F);
    const int row = static_cast<int>((y[i] + 1.0F) * 16.0F);
    ++counts[std::min(row, 31) * 32 + std::min(column, 31)];
  }
}

void dot_product(const Arguments& p) {
  const size_t n = p.size("n");
  const float* __restrict x = p.floats("x");
  const float* __restrict y = p.floats("y");
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  *p.floats("sum") += sum;
}

void vector_norm(const Arguments& p) {
  const size_t n = p.size("n");
  const float* __restrict x = p.floats("x");
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (size_t i = 0; i < n; ++i) sum += x[i] * x[i];
  *p.floats("norm") = std::sqrt(sum);
}

void weighted_histogram(const Arguments& p) {
  const size_t n = p.size("n");
  const std::uint32_t* x = p.words("x");
  const float* weight = p.floats("weight");
  float* bins = p.floats("bins");
#pragma omp parallel for reduction(+ : bins[ : 256]) schedule(static)
  for (size_t i = 0; i < n; ++i) bins[x[i] & 255U] += weight[i];
}

void batch_norm(const Arguments& p) {
  const size_t batch = p.size("batch"), channels = p.size("channels"), size = p.size("size");
  const float* all_x = p.floats("x");
  float* all_y = p.floats("y");
#pragma omp parallel for schedule(static)
  for (size_t plane = 0; plane < batch * channels; ++plane) {
    const size_t c = plane % channels;
    const float* __restrict x = all_x + plane * size;
    float* __restrict y = all_y + plane * size;
    const float scale = p.floats("weight")[c] / std::sqrt(p.floats("variance")[c] + 1e-5F);
    const float shift = p.floats("bias")[c] - p.floats("mean")[c] * scale;
#pragma omp simd
    for (size_t i = 0; i < size; ++i) y[i] = x[i] * scale + shift;
  }
}

void horner(const Arguments& p) {
  const size_t n = p.size("n");
  const float* __restrict x = p.floats("x");
  const float* __restrict c = p.floats("c");
  float* __restrict y = p.floats("y");
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) {
    float value = 0;
    for (size_t k = 16; k-- > 0;) value = value * x[i] + c[k];
    y[i] = value;
  }
}

void rgb_to_gray(const Arguments& p) {
  const size_t n = p.size("n");
  const std::uint32_t* __restrict rgb = p.words("rgb");
  std::uint32_t* __restrict gray = p.words("gray");
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) {
    const std::uint32_t r = rgb[i] & 255U, g = (rgb[i] >> 8U) & 255U, b = (rgb[i] >> 16U) & 255U;
    gray[i] = (77 * r + 150 * g + 29 * b) / 256;
  }
}

void black_scholes(const Arguments& p) {
  const size_t n = p.size("n");
  const float rate = p.number("rate"), volatility = p.number("volatility");
  const float* __restrict price = p.floats("price");
  const float* __restrict strike = p.floats("strike");
  const float* __restrict years = p.floats("years");
  float* __restrict call = p.floats("call");
  float* __restrict put = p.floats("put");
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) {
    const float width = volatility * std::sqrt(years[i]);
    const float d1 =
        (std::log(price[i] / strike[i]) + (rate + 0.5F * volatility * volatility) * years[i]) /
        width;
    const float below1 = normal(d1), below2 = normal(d1 - width);
    const float discounted = strike[i] * std::exp(-rate * years[i]);
    call[i] = price[i] * below1 - discounted * below2;
    put[i] = discounted * (1.0F - below2) - price[i] * (1.0F - below1);
  }
}

void gamma_correct(const Arguments& p) {
  const size_t n = p.size("n");
  const float* __restrict light = p.floats("light");
  float* __restrict shown = p.floats("shown");
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) {
    const float v = std::min(std::max(light[i], 0.0F), 1.0F);
    const float bright = 1.055F * std::pow(v, 0.41666667F) - 0.055F;  // of all: as vectors
    shown[i] = v <= 0.0031308F ? 12.92F * v : bright;
  }
}

void sample_sums(const Arguments& p) {
  const size_t places = p.size("places"), samples = p.size("samples");
  const float *x = p.floats("x"), *y = p.floats("y"), *z = p.floats("z");
  const float *kx = p.floats("kx"), *ky = p.floats("ky"), *kz = p.floats("kz");
  const float* weight = p.floats("weight");
  float *re = p.floats("re"), *im = p.floats("im");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < places; ++i) {
    const auto angle = [&](size_t k) {
      return 6.2831853F * (kx[k] * x[i] + ky[k] * y[i] + kz[k] * z[i]);
    };
    // Together they would become one call of `sincos`, of which g++ makes no vectors.
    float sum_re = 0, sum_im = 0;
#pragma omp simd reduction(+ : sum_re)
    for (size_t k = 0; k < samples; ++k) sum_re += weight[k] * std::cos(angle(k));
#pragma omp simd reduction(+ : sum_im)
    for (size_t k = 0; k < samples; ++k) sum_im += weight[k] * std::sin(angle(k));
    re[i] = sum_re;
    im[i] = sum_im;
  }
}

void gelu(const Arguments& p) {
  const size_t n = p.size("n");
  const float* __restrict x = p.floats("x");
  float* __restrict y = p.floats("y");
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) {
    const float v = x[i];
    y[i] = 0.5F * v * (1.0F + std::tanh(0.7978846F * (v + 0.044715F * v * v * v)));
  }
}

void binomial(const Arguments& p) {
  const size_t n = p.size("n"), steps = p.size("steps");
  const float* price = p.floats("price");
  const float* strike = p.floats("strike");
  float* out = p.floats("out");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; ++i) {
    float v[257] = {};
#pragma omp simd
    for (size_t j = 0; j <= steps; ++j) {
      const float power = 2.0F * static_cast<float>(j) - static_cast<float>(steps);
      v[j] = std::max(price[i] * std::pow(1.0125F, power) - strike[i], 0.0F);
    }
    for (size_t t = 0; t < steps; ++t) {
#pragma omp simd
      for (size_t j = 0; j < steps - t; ++j) {
        v[j] = 0.9999F * (0.4975F * v[j + 1] + 0.5025F * v[j]);
      }
    }
    out[i] = v[0];
  }
}

void axpby(const Arguments& p) {
  const size_t n = p.size("n");
  const float a = p.number("a"), b = p.number("b");
  const float* __restrict x = p.floats("x");
  float* __restrict y = p.floats("y");
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) y[i] = a * x[i] + b * y[i];
}

void complex_multiply(const Arguments& p) {
  const size_t n = p.size("n");
  const float* __restrict a = p.floats("a");
  const float* __restrict b = p.floats("b");
  float* __restrict c = p.floats("c");
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) {
    const float ar = a[2 * i], ai = a[2 * i + 1], br = b[2 * i], bi = b[2 * i + 1];
    c[2 * i] = ar * br - ai * bi;
    c[2 * i + 1] = ar * bi + ai * br;
  }
}

void hash_bits(const Arguments& p) {
  const size_t n = p.size("n");
  const std::uint32_t* __restrict x = p.words("x");
  std::uint32_t* __restrict bits = p.words("bits");
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) {
    std::uint32_t h = x[i];
    h = (h ^ (h >> 16U)) * 0x85ebca6bU;
    h = (h ^ (h >> 13U)) * 0xc2b2ae35U;
    bits[i] = static_cast<std::uint32_t>(__builtin_popcount(h ^ (h >> 16U)));
  }
}

void monte_carlo(const Arguments& p) {
  const size_t n = p.size("n"), points = p.size("points");
  std::uint32_t* __restrict hits = p.words("hits");
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) {
    std::uint32_t state = static_cast<std::uint32_t>(i) * 747796405U + 2891336453U;
    std::uint32_t count = 0;
    for (size_t k = 0; k < points; ++k) {
      state ^= state << 13U;
      state ^= state >> 17U;
      state ^= state << 5U;
      const std::uint32_t x = state & 0x7fffU, y = state >> 17U;
      count += x * x + y * y < 0x40000000U ? 1U : 0U;
    }
    hits[i] = count;
  }
}

}  // namespace vyre::bench::openmp
