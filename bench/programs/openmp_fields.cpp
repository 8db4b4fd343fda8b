#include <algorithm>
#include <cmath>

#include "openmp.h"

namespace vyre::bench::openmp {

using std::ptrdiff_t;
using std::size_t;

void blur(const Arguments& p) {
  const auto w = static_cast<ptrdiff_t>(p.size("w")), h = static_cast<ptrdiff_t>(p.size("h"));
  const float* image = p.floats("image");
  float* out = p.floats("out");
#pragma omp parallel for schedule(static)
  for (ptrdiff_t y = 0; y < h; ++y) {
    const float* rows[5];
    for (ptrdiff_t j = 0; j < 5; ++j) {
      rows[j] = image + std::clamp(y + j - 2, ptrdiff_t{0}, h - 1) * w;
    }
    const auto at_border = [&](ptrdiff_t x) {
      float sum = 0;
      for (const float* row : rows) {
        for (ptrdiff_t i = x - 2; i <= x + 2; ++i) sum += row[std::clamp(i, ptrdiff_t{0}, w - 1)];
      }
      out[y * w + x] = sum * 0.04F;
    };
    const ptrdiff_t inside = std::max(w - 2, std::min(w, ptrdiff_t{2}));
    for (ptrdiff_t x = 0; x < std::min(w, ptrdiff_t{2}); ++x) at_border(x);
#pragma omp simd
    for (ptrdiff_t x = 2; x < inside; ++x) {
      float sum = 0;
      for (int j = 0; j < 5; ++j) {
        for (int i = -2; i <= 2; ++i) sum += rows[j][x + i];
      }
      out[y * w + x] = sum * 0.04F;
    }
    for (ptrdiff_t x = inside; x < w; ++x) at_border(x);
  }
}

void sobel(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h");
  const float* image = p.floats("image");
  float* out = p.floats("out");
  std::fill_n(out, w, 0.0F);
  std::fill_n(out + (h - 1) * w, w, 0.0F);
#pragma omp parallel for schedule(static)
  for (size_t y = 1; y < h - 1; ++y) {
    const float* __restrict up = image + (y - 1) * w;
    const float* __restrict here = image + y * w;
    const float* __restrict down = image + (y + 1) * w;
    float* __restrict row = out + y * w;
    row[0] = row[w - 1] = 0;
#pragma omp simd
    for (size_t x = 1; x < w - 1; ++x) {
      const float across =
          up[x + 1] + 2 * here[x + 1] + down[x + 1] - up[x - 1] - 2 * here[x - 1] - down[x - 1];
      const float along =
          down[x - 1] + 2 * down[x] + down[x + 1] - up[x - 1] - 2 * up[x] - up[x + 1];
      row[x] = std::sqrt(across * across + along * along);
    }
  }
}

void conv3x3(const Arguments& p) {
  const auto w = static_cast<ptrdiff_t>(p.size("w")), h = static_cast<ptrdiff_t>(p.size("h"));
  const float* image = p.floats("image");
  const float* filter = p.floats("filter");
  float* out = p.floats("out");
#pragma omp parallel for schedule(static)
  for (ptrdiff_t y = 0; y < h; ++y) {
    float* __restrict row = out + y * w;
    std::fill_n(row, w, 0.0F);
    for (ptrdiff_t j = std::max(y - 1, ptrdiff_t{0}); j < std::min(y + 2, h); ++j) {
      const float* __restrict from = image + j * w;
      const float* f = filter + (j - y + 1) * 3;
      const float left = f[0], middle = f[1], right = f[2];
      row[0] += middle * from[0] + right * from[1];
#pragma omp simd
      for (ptrdiff_t x = 1; x < w - 1; ++x) {
        row[x] += left * from[x - 1] + middle * from[x] + right * from[x + 1];
      }
      row[w - 1] += left * from[w - 2] + middle * from[w - 1];
    }
  }
}

void depthwise_conv(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h"), channels = p.size("channels");
  const float* image = p.floats("image");
  const float* filter = p.floats("filter");
  float* out = p.floats("out");
#pragma omp parallel for collapse(2) schedule(static)
  for (size_t c = 0; c < channels; ++c) {
    for (size_t y = 0; y < h; ++y) {
      const float* f = filter + c * 9;
      const float* __restrict from = image + (c * (h + 2) + y) * (w + 2);
      float* __restrict row = out + (c * h + y) * w;
#pragma omp simd
      for (size_t x = 0; x < w; ++x) {
        float sum = 0;
        for (size_t j = 0; j < 3; ++j) {
          for (size_t i = 0; i < 3; ++i) sum += f[j * 3 + i] * from[j * (w + 2) + x + i];
        }
        row[x] = sum;
      }
    }
  }
}

void bilinear_upsample(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h");
  const float* image = p.floats("image");
  float* out = p.floats("out");
#pragma omp parallel for schedule(static)
  for (size_t y = 0; y < 2 * h; ++y) {
    const float fy = std::max(static_cast<float>(y) * 0.5F - 0.25F, 0.0F);
    const auto y0 = static_cast<size_t>(fy);
    const float ty = fy - static_cast<float>(y0);
    const float* __restrict above = image + y0 * w;
    const float* __restrict below = image + std::min(y0 + 1, h - 1) * w;
    float* __restrict row = out + y * 2 * w;
    const auto mixed = [&](size_t x) { return above[x] * (1 - ty) + below[x] * ty; };
    row[0] = mixed(0);
#pragma omp simd
    for (size_t x = 0; x < w - 1; ++x) {
      const float left = mixed(x), right = mixed(x + 1);
      row[2 * x + 1] = left * 0.75F + right * 0.25F;
      row[2 * x + 2] = left * 0.25F + right * 0.75F;
    }
    row[2 * w - 1] = mixed(w - 1);
  }
}

void median3x3(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h");
  const float* image = p.floats("image");
  float* out = p.floats("out");
  std::copy_n(image, w, out);
  std::copy_n(image + (h - 1) * w, w, out + (h - 1) * w);
#pragma omp parallel for schedule(static)
  for (size_t y = 1; y < h - 1; ++y) {
    const float* __restrict above = image + (y - 1) * w;
    float* __restrict row = out + y * w;
    row[0] = above[w];
    row[w - 1] = above[w + w - 1];
#pragma omp simd
    for (size_t x = 1; x < w - 1; ++x) {
      float v[9] = {};
      for (size_t j = 0; j < 3; ++j) {
        for (size_t i = 0; i < 3; ++i) v[j * 3 + i] = above[j * w + x + i - 1];
      }
#pragma GCC unroll 5
      for (int i = 0; i < 5; ++i) {
#pragma GCC unroll 9
        for (int j = i + 1; j < 9; ++j) {
          const float a = v[i], b = v[j];
          v[i] = std::min(a, b);
          v[j] = std::max(a, b);
        }
      }
      row[x] = v[4];
    }
  }
}

void conv_layer(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h"), channels = p.size("channels");
  const size_t filters = p.size("filters");
  const float* image = p.floats("image");
  const float* weight = p.floats("weight");
  const float* bias = p.floats("bias");
  float* out = p.floats("out");
#pragma omp parallel for collapse(2) schedule(static)
  for (size_t o = 0; o < filters; ++o) {
    for (size_t y = 0; y < h; ++y) {
      float* __restrict row = out + (o * h + y) * w;
      std::fill_n(row, w, bias[o]);
      for (size_t k = 0; k < channels * 3; ++k) {
        const size_t c = k / 3, j = k % 3;
        const float* __restrict from = image + (c * (h + 2) + y + j) * (w + 2);
        const float* f = weight + (o * channels + c) * 9 + j * 3;
        const float left = f[0], middle = f[1], right = f[2];
#pragma omp simd
        for (size_t x = 0; x < w; ++x) {
          row[x] += left * from[x] + middle * from[x + 1] + right * from[x + 2];
        }
      }
      for (size_t x = 0; x < w; ++x) row[x] = std::max(row[x], 0.0F);
    }
  }
}

void jacobi2d(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h");
  const float* u = p.floats("u");
  float* v = p.floats("v");
  std::copy_n(u, w, v);
  std::copy_n(u + (h - 1) * w, w, v + (h - 1) * w);
#pragma omp parallel for schedule(static)
  for (size_t y = 1; y < h - 1; ++y) {
    const float* __restrict up = u + (y - 1) * w;
    const float* __restrict here = u + y * w;
    const float* __restrict down = u + (y + 1) * w;
    float* __restrict row = v + y * w;
    row[0] = here[0];
#pragma omp simd
    for (size_t x = 1; x < w - 1; ++x) {
      row[x] = 0.2F * (here[x] + here[x - 1] + here[x + 1] + up[x] + down[x]);
    }
    row[w - 1] = here[w - 1];
  }
}

void heat3d(const Arguments& p) {
  const size_t n = p.size("n");
  const float* u = p.floats("u");
  float* v = p.floats("v");
#pragma omp parallel for collapse(2) schedule(static)
  for (size_t z = 0; z < n; ++z) {
    for (size_t y = 0; y < n; ++y) {
      const float* __restrict here = u + (z * n + y) * n;
      float* __restrict row = v + (z * n + y) * n;
      if (y == 0 || z == 0 || y == n - 1 || z == n - 1) {
        std::copy_n(here, n, row);
        continue;
      }
      row[0] = here[0];
#pragma omp simd
      for (size_t x = 1; x < n - 1; ++x) {
        const float* at = here + x;
        row[x] = 0.125F * (at[-1] + at[1] + *(at - n) + at[n] + *(at - n * n) + at[n * n]) +
                 0.25F * at[0];
      }
      row[n - 1] = here[n - 1];
    }
  }
}

void mandelbrot(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h"), limit = p.size("limit");
  std::uint32_t* steps = p.words("steps");
#pragma omp parallel for schedule(dynamic, 4)
  for (size_t j = 0; j < h; ++j) {
    const float cy = static_cast<float>(j) / static_cast<float>(h) * 2.0F - 1.0F;
    for (size_t i = 0; i < w; ++i) {
      const float cx = static_cast<float>(i) / static_cast<float>(w) * 3.0F - 2.0F;
      float x = 0, y = 0;
      std::uint32_t count = 0;
      while (count < limit && x * x + y * y <= 4.0F) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++count;
      }
      steps[j * w + i] = count;
    }
  }
}

// The sums of three rows first, with a zero at either end, then of three neighbours among them.
void avg_pool(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h"), channels = p.size("channels");
  const size_t out_w = (w + 1) / 2, out_h = (h + 1) / 2;
  const float* image = p.floats("image");
  float* out = p.floats("out");
#pragma omp parallel
  {
    std::vector<float> padded(w + 2);
    float* __restrict sums = padded.data();
#pragma omp for collapse(2) schedule(static)
    for (size_t c = 0; c < channels; ++c) {
      for (size_t y = 0; y < out_h; ++y) {
        const size_t top = std::max(2 * y, size_t{1}) - 1, bottom = std::min(2 * y + 2, h);
        std::copy_n(image + (c * h + top) * w, w, sums + 1);
        for (size_t row = top + 1; row < bottom; ++row) {
          const float* __restrict from = image + (c * h + row) * w;
#pragma omp simd
          for (size_t x = 0; x < w; ++x) sums[x + 1] += from[x];
        }
        float* __restrict to = out + (c * out_h + y) * out_w;
        const float scale = 1.0F / static_cast<float>(3 * (bottom - top));
#pragma omp simd
        for (size_t x = 0; x < out_w; ++x) {
          to[x] = (sums[2 * x] + sums[2 * x + 1] + sums[2 * x + 2]) * scale;
        }
        for (const size_t x : {size_t{0}, out_w - 1}) {
          const size_t left = std::max(2 * x, size_t{1}) - 1, right = std::min(2 * x + 2, w);
          to[x] = (sums[2 * x] + sums[2 * x + 1] + sums[2 * x + 2]) /
                  static_cast<float>((bottom - top) * (right - left));
        }
      }
    }
  }
}

void lattice_boltzmann(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h"), n = w * h;
  const float omega = p.number("omega"), keep = 1.0F - omega;
  const float* f = p.floats("f");
  float* g = p.floats("g");
#pragma omp parallel for schedule(static)
  for (size_t y = 0; y < h; ++y) {
    const float* here = f + y * w;
    const float* up = f + (y + h - 1) % h * w;
    const float* down = f + (y + 1) % h * w;
    float* to = g + y * w;
    const auto cell = [=](size_t x, size_t left, size_t right) __attribute__((always_inline)) {
      const float f0 = here[x], f1 = here[n + left], f2 = up[2 * n + x];
      const float f3 = here[3 * n + right], f4 = down[4 * n + x], f5 = up[5 * n + left];
      const float f6 = up[6 * n + right], f7 = down[7 * n + right], f8 = down[8 * n + left];
      const float density = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
      const float inverse = 1.0F / density;
      const float u = (f1 + f5 + f8 - f3 - f6 - f7) * inverse;
      const float v = (f2 + f5 + f6 - f4 - f7 - f8) * inverse;
      const float still = 1.0F - 1.5F * (u * u + v * v);
      const float along = u + v, across = u - v;
      const float straight = omega * density / 9.0F, slanted = omega * density / 36.0F;
      to[x] = keep * f0 + 4.0F * straight * still;
      to[n + x] = keep * f1 + straight * (still + 3.0F * u + 4.5F * u * u);
      to[2 * n + x] = keep * f2 + straight * (still + 3.0F * v + 4.5F * v * v);
      to[3 * n + x] = keep * f3 + straight * (still - 3.0F * u + 4.5F * u * u);
      to[4 * n + x] = keep * f4 + straight * (still - 3.0F * v + 4.5F * v * v);
      to[5 * n + x] = keep * f5 + slanted * (still + 3.0F * along + 4.5F * along * along);
      to[6 * n + x] = keep * f6 + slanted * (still - 3.0F * across + 4.5F * across * across);
      to[7 * n + x] = keep * f7 + slanted * (still - 3.0F * along + 4.5F * along * along);
      to[8 * n + x] = keep * f8 + slanted * (still + 3.0F * across + 4.5F * across * across);
    };
    cell(0, w - 1, 1);
#pragma omp simd
    for (size_t x = 1; x < w - 1; ++x) cell(x, x - 1, x + 1);
    cell(w - 1, w - 2, 0);
  }
}

void life(const Arguments& p) {
  const size_t w = p.size("w"), h = p.size("h");
  const uint8_t* cells = p.bytes("cells");
  uint8_t* after = p.bytes("after");
#pragma omp parallel for schedule(static)
  for (size_t y = 0; y < h; ++y) {
    const uint8_t* __restrict above = cells + (y + h - 1) % h * w;
    const uint8_t* __restrict here = cells + y * w;
    const uint8_t* __restrict below = cells + (y + 1) % h * w;
    uint8_t* __restrict row = after + y * w;
    const auto step = [=](size_t x, size_t left, size_t right) __attribute__((always_inline)) {
      const auto alive = static_cast<uint8_t>(above[left] + above[x] + above[right] + here[left] +
                                              here[right] + below[left] + below[x] + below[right]);
      row[x] = static_cast<uint8_t>((alive | here[x]) == 3 ? 1 : 0);
    };
    step(0, w - 1, 1);
#pragma omp simd
    for (size_t x = 1; x < w - 1; ++x) step(x, x - 1, x + 1);
    step(w - 1, w - 2, 0);
  }
}

}  // namespace vyre::bench::openmp
