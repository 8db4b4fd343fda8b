// One kernel, several sizes: each call's arrays say how large it is, each size has its decision.
#include <cstdio>
#include <numeric>

#include "vyre/vyre.h"

constexpr auto text = R"(program dot {
  uniform n: u32 = 1
  buffer x: u32[n] read
  buffer y: u32[n] read
  buffer sum: u32[1] read_write
  grid n
  atomic sum[0] += x[invocation.x] * y[invocation.x]
})";

vyre::Result<void> run() {
  VYRE_TRY(auto gpu, vyre::Context::open());
  VYRE_TRY(auto dot, gpu.kernel<const unsigned, const unsigned, unsigned>(text));
  for (const std::size_t n : {1000, 4096, 100'000}) {
    std::vector<unsigned> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0U);
    const auto x = gpu.array(numbers), y = gpu.array<unsigned>(n), sum = gpu.array<unsigned>(1);
    y.fill(2);
    dot(x, y, sum);
    VYRE_TRY(const auto result, sum.to_host());
    std::printf("%7zu: %10u  %s\n", n, result[0], dot.configuration().c_str());
    if (result[0] != unsigned(n * (n - 1))) return vyre::fail(vyre::ErrorKind::run, "wrong sum");
  }
  return {};
}

int main() { return vyre::exit_status(run()); }
