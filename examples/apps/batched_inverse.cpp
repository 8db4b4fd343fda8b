// 200 inverses at once; one matrix has none, and the report says which.
#include <cmath>
#include <cstdio>

#include "vyre/vyre.h"

constexpr std::uint32_t blocks = 200, n = 8;

vyre::Result<void> run() {
  std::vector<float> a(blocks * n * n, 0.0F);  // ones, and on the diagonal the block's own number
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = i / n % n == i % n ? 2 + float(i / (n * n)) / blocks : 1;
  }
  std::fill_n(a.begin() + 123 * n * n, n * n, 1.0F);  // all ones: singular

  VYRE_TRY(auto gpu, vyre::Context::open());
  VYRE_TRY(auto inverse, gpu.inverse<float>({.blocks = blocks, .n = n}));
  const auto in = gpu.array(a), out = gpu.array<float>(a.size());
  inverse(in, out);
  VYRE_TRY(const auto reports, inverse.reports());
  VYRE_TRY(const auto x, out.to_host());

  for (const auto& bad : reports)
    std::printf("block %u: %s\n", bad.index, name_of(bad.state).data());
  double worst = 0;  // of |A X - 1|
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t block = i / (n * n) * n * n, row = i / n % n, column = i % n;
    double sum = row == column ? -1 : 0;
    for (std::size_t k = 0; k < n; ++k)
      sum += double(a[block + row * n + k]) * x[block + k * n + column];
    if (block != 123 * n * n) worst = std::max(worst, std::abs(sum));
  }
  const bool one = reports.size() == 1 && reports[0].index == 123;
  if (one && reports[0].state == vyre::BlockState::singular && worst < 1e-4) return {};
  return vyre::fail(vyre::ErrorKind::run, "off by " + std::to_string(worst));
}

int main() { return vyre::exit_status(run()); }
