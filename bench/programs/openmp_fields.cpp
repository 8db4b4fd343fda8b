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

}  // namespace vyre::bench::openmp
