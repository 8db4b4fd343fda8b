#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "openmp.h"

namespace vyre::bench::openmp {

using std::size_t;

void softmax(const Arguments& p) {
  const size_t rows = p.size("rows"), n = p.size("n");
  const float* all_x = p.floats("x");
  float* all_y = p.floats("y");
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) {
    const float* __restrict x = all_x + row * n;
    float* __restrict y = all_y + row * n;
    float largest = x[0];
#pragma omp simd reduction(max : largest)
    for (size_t i = 0; i < n; ++i) largest = std::max(largest, x[i]);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; ++i) {
      y[i] = std::exp(x[i] - largest);
      sum += y[i];
    }
    const float scale = 1.0F / sum;
#pragma omp simd
    for (size_t i = 0; i < n; ++i) y[i] *= scale;
  }
}

void layer_norm(const Arguments& p) {
  const size_t rows = p.size("rows"), n = p.size("n");
  const float* __restrict weight = p.floats("weight");
  const float* __restrict bias = p.floats("bias");
  const float* all_x = p.floats("x");
  float* all_y = p.floats("y");
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) {
    const float* __restrict x = all_x + row * n;
    float* __restrict y = all_y + row * n;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; ++i) sum += x[i];
    const float mean = sum / static_cast<float>(n);
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const float scale = 1.0F / std::sqrt(squares / static_cast<float>(n) + 1e-5F);
#pragma omp simd
    for (size_t i = 0; i < n; ++i) y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
  }
}

void prefix_sums(const Arguments& p) {
  const size_t rows = p.size("rows"), n = p.size("n");
  const float* all_x = p.floats("x");
  float* all_y = p.floats("y");
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) {
    const float* __restrict x = all_x + row * n;
    float* __restrict y = all_y + row * n;
    float sum = 0;
    for (size_t i = 0; i < n; ++i) {
      sum += x[i];
      y[i] = sum;
    }
  }
}

void attention(const Arguments& p) {
  const size_t queries = p.size("queries"), keys = p.size("keys"), d = p.size("d");
  const float scale = p.number("scale");
  const float* __restrict k = p.floats("k");
  const float* __restrict v = p.floats("v");
  const float* all_q = p.floats("q");
  float* all_scores = p.floats("scores");
  float* all_out = p.floats("out");
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < queries; ++row) {
    const float* __restrict q = all_q + row * d;
    float* __restrict scores = all_scores + row * keys;
    float* __restrict out = all_out + row * d;
    float largest = -std::numeric_limits<float>::max();
    for (size_t j = 0; j < keys; ++j) {
      float dot = 0;
#pragma omp simd reduction(+ : dot)
      for (size_t i = 0; i < d; ++i) dot += q[i] * k[j * d + i];
      scores[j] = dot * scale;
      largest = std::max(largest, scores[j]);
    }
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t j = 0; j < keys; ++j) {
      scores[j] = std::exp(scores[j] - largest);
      sum += scores[j];
    }
    std::fill_n(out, d, 0.0F);
    for (size_t j = 0; j < keys; ++j) {
#pragma omp simd
      for (size_t i = 0; i < d; ++i) out[i] += scores[j] * v[j * d + i];
    }
    for (size_t i = 0; i < d; ++i) out[i] /= sum;
  }
}

// The largest first, then its place: both loops become vectors.
void argmax_rows(const Arguments& p) {
  const size_t rows = p.size("rows"), n = p.size("n");
  std::uint32_t* where = p.words("where");
  const float* all_x = p.floats("x");
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) {
    const float* x = all_x + row * n;
    float largest = x[0];
#pragma omp simd reduction(max : largest)
    for (size_t i = 0; i < n; ++i) largest = std::max(largest, x[i]);
    where[row] = static_cast<std::uint32_t>(std::find(x, x + n, largest) - x);
  }
}

void kmeans(const Arguments& p) {
  const size_t n = p.size("n"), d = p.size("d"), clusters = p.size("clusters");
  const float* centres = p.floats("centres");
  std::uint32_t* label = p.words("label");
  const float* all_points = p.floats("points");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; ++i) {
    const float* point = all_points + i * d;
    float nearest = std::numeric_limits<float>::max();
    for (size_t c = 0; c < clusters; ++c) {
      float distance = 0;
      for (size_t j = 0; j < d; ++j) {
        const float difference = point[j] - centres[c * d + j];
        distance += difference * difference;
      }
      if (distance < nearest) {
        nearest = distance;
        label[i] = static_cast<std::uint32_t>(c);
      }
    }
  }
}

void pairwise_distances(const Arguments& p) {
  const size_t n = p.size("n"), m = p.size("m"), d = p.size("d");
  const float* a = p.floats("a");
  const float* b = p.floats("b");
  float* distance = p.floats("distance");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < m; ++j) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (size_t k = 0; k < d; ++k) {
        const float difference = a[i * d + k] - b[j * d + k];
        sum += difference * difference;
      }
      distance[i * m + j] = std::sqrt(sum);
    }
  }
}

void nbody(const Arguments& p) {
  const size_t n = p.size("n");
  const float* x = p.floats("x");
  const float* y = p.floats("y");
  const float* z = p.floats("z");
  const float* mass = p.floats("mass");
  float* ax = p.floats("ax");
  float* ay = p.floats("ay");
  float* az = p.floats("az");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; ++i) {
    float sx = 0, sy = 0, sz = 0;
#pragma omp simd reduction(+ : sx, sy, sz)
    for (size_t j = 0; j < n; ++j) {
      const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const float r = 1.0F / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01F);
      const float pull = mass[j] * r * r * r;
      sx += pull * dx;
      sy += pull * dy;
      sz += pull * dz;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
  }
}

// All threads on one row at a time: there are fewer rows than cores on most machines.
void row_extremes(const Arguments& p) {
  const size_t rows = p.size("rows"), n = p.size("n");
  for (size_t row = 0; row < rows; ++row) {
    const float* __restrict x = p.floats("x") + row * n;
    float smallest = x[0], largest = x[0];
#pragma omp parallel for simd reduction(min : smallest) reduction(max : largest) schedule(static)
    for (size_t i = 1; i < n; ++i) {
      smallest = std::min(smallest, x[i]);
      largest = std::max(largest, x[i]);
    }
    p.floats("least")[row] = smallest;
    p.floats("most")[row] = largest;
  }
}

void nbody_cutoff(const Arguments& p) {
  const size_t n = p.size("n");
  const float* x = p.floats("x");
  const float* y = p.floats("y");
  const float* z = p.floats("z");
  const float* mass = p.floats("mass");
  float* ax = p.floats("ax");
  float* ay = p.floats("ay");
  float* az = p.floats("az");
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; ++i) {
    float sx = 0, sy = 0, sz = 0;
#pragma omp simd reduction(+ : sx, sy, sz)
    for (size_t j = 0; j < n; ++j) {
      const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const float d = dx * dx + dy * dy + dz * dz;
      const float fade = d < 0.1F ? 1.0F - 10.0F * d : 0.0F;
      const float r = 1.0F / std::sqrt(d + 0.01F);
      const float pull = mass[j] * fade * fade * r * r * r;
      sx += pull * dx;
      sy += pull * dy;
      sz += pull * dz;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
  }
}

// Site after site for a block of points, whose vectors stay in the cache.
void nearest(const Arguments& p) {
  constexpr size_t block = 256;
  const size_t n = p.size("n"), sites = p.size("sites");
  const float* x = p.floats("x");
  const float* y = p.floats("y");
  const float* site_x = p.floats("site_x");
  const float* site_y = p.floats("site_y");
  const std::uint32_t* name = p.words("name");
  std::uint32_t* label = p.words("label");
#pragma omp parallel for schedule(static)
  for (size_t first = 0; first < n; first += block) {
    const size_t count = std::min(block, n - first);
    std::array<float, block> least;
    std::array<std::uint32_t, block> found = {};
    least.fill(std::numeric_limits<float>::max());
    for (size_t j = 0; j < sites; ++j) {
      const std::uint32_t called = name[j];
#pragma omp simd
      for (size_t i = 0; i < count; ++i) {
        const float dx = site_x[j] - x[first + i], dy = site_y[j] - y[first + i];
        const float distance = dx * dx + dy * dy;
        const bool nearer = distance < least[i];
        found[i] = nearer ? called : found[i];
        least[i] = nearer ? distance : least[i];
      }
    }
    std::copy_n(found.begin(), count, label + first);
  }
}

void cross_entropy(const Arguments& p) {
  const size_t rows = p.size("rows"), n = p.size("n");
  const float* all_logits = p.floats("logits");
  const std::uint32_t* label = p.words("label");
  float* loss = p.floats("loss");
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) {
    const float* logits = all_logits + row * n;
    float largest = logits[0];
#pragma omp simd reduction(max : largest)
    for (size_t i = 0; i < n; ++i) largest = std::max(largest, logits[i]);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; ++i) sum += std::exp(logits[i] - largest);
    loss[row] = std::log(sum) + largest - logits[label[row]];
  }
}

// Blocks of a signal, so that what a filter reads stays in the second cache.
void dilated_conv(const Arguments& p) {
  constexpr size_t block = 1024;
  const size_t length = p.size("length"), channels = p.size("channels");
  const size_t filters = p.size("filters"), parts = p.size("parts"), d = p.size("dilation");
  const size_t each = channels / parts, padded = length + 4 * d;
  const float* x = p.floats("x");
  const float* weight = p.floats("weight");
  const float* bias = p.floats("bias");
  float* y = p.floats("y");
#pragma omp parallel for collapse(2) schedule(static)
  for (size_t begin = 0; begin < length; begin += block) {
    for (size_t filter = 0; filter < filters; ++filter) {
      const size_t count = std::min(block, length - begin);
      const size_t first = filter / (filters / parts) * each;
      float* __restrict to = y + filter * length + begin;
      std::fill_n(to, count, bias[filter]);
      for (size_t c = 0; c < each; ++c) {
        const float* __restrict from = x + (first + c) * padded + begin;
        const float* w = weight + (filter * each + c) * 5;
        const float w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], w4 = w[4];
#pragma omp simd
        for (size_t i = 0; i < count; ++i) {
          to[i] += w0 * from[i] + w1 * from[i + d] + w2 * from[i + 2 * d] + w3 * from[i + 3 * d] +
                   w4 * from[i + 4 * d];
        }
      }
    }
  }
}

}  // namespace vyre::bench::openmp
