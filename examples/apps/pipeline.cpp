// Rows brought to length 1, a matrix product, relu: recorded once, run a hundred times.
#include <cstdio>

#include "vyre/vyre.h"

constexpr auto rows = R"(program normalise {
  uniform n: u32 = 1  uniform k: u32 = 1
  buffer x: f32[n * k] read  buffer y: f32[n * k] write
  grid n
  let row = invocation.x * k  var squares = 0.0
  for i in 0 .. k { squares = fma(x[row + i], x[row + i], squares) }
  for i in 0 .. k { y[row + i] = x[row + i] / sqrt(squares) }
})";
constexpr auto positive = R"(program relu {
  uniform n: u32 = 1  buffer x: f32[n] read_write  grid n
  x[invocation.x] = max(x[invocation.x], 0.0)
})";

vyre::Result<void> run() {
  VYRE_TRY(auto gpu,
           vyre::Context::open({.mode = vyre::tune::Mode::natural,
                                .search = {.evaluations = 4, .time = std::chrono::minutes(1)}}));
  VYRE_TRY(auto normalise, gpu.kernel<const float, float>(rows));
  VYRE_TRY(auto gemm, gpu.gemm<float>({.m = 256, .n = 32, .k = 64}));
  VYRE_TRY(auto relu, gpu.kernel<float>(positive));
  auto x = gpu.array<float>({256, 64}), a = gpu.array<float>({256, 64});
  auto b = gpu.array<float>({64, 32}), c = gpu.array<float>({256, 32});
  x.fill(3), x.slice(0, 128 * 64).fill(-3), b.fill(-0.25F);

  const auto step = gpu.record([&] { normalise(x, a), gemm(a, b, c), relu(c); });
  VYRE_CHECK(step.run(100).wait());
  VYRE_TRY(const auto result, c.to_host());
  std::puts((gemm.configuration() + ": " + (gemm.tuned() ? "tuned" : gemm.why())).c_str());
  std::vector<float> expected(256 * 32, 0.0F);
  std::fill_n(expected.begin(), 128 * 32, 2.0F);  // 64 times 1/8 * 1/4
  return result == expected ? vyre::Result<void>()
                            : vyre::fail(vyre::ErrorKind::run, "it is wrong");
}

int main() { return vyre::exit_status(run()); }
