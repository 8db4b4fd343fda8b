// What can go wrong is a message that says what to do, never a crash and never silence.
#include <cstdio>

#include "vyre/vyre.h"

constexpr auto saxpy = R"(program saxpy {
  uniform n: u32 = 1
  buffer x: f32[n] read
  buffer y: f32[n] read_write
  grid n
  y[invocation.x] = fma(2.0, x[invocation.x], y[invocation.x])
})";

int silent = 0;
template <class T>
void expect_error(const vyre::Result<T>& result) {
  if (result) ++silent;
  std::printf("%s\n\n", result ? "NO ERROR" : to_string(result.error()).c_str());
}

int main() {
  expect_error(vyre::Context::open({.device = "no such device"}));
  const auto gpu = vyre::Context::open({.mode = vyre::tune::Mode::stored});
  if (!gpu) return vyre::exit_status(vyre::Failure(gpu.error()));

  expect_error(gpu->kernel<float>("program two { grid 8\n y[0] = z + 1 }"));  // all at once
  expect_error(gpu->kernel<const float, const float>(saxpy));                 // y is written
  expect_error(gpu->kernel<const float, float>(saxpy, {{"n", -1}}));

  const auto kernel = gpu->kernel<const float, float>(saxpy);
  const auto x = gpu->array<float>(100), y = gpu->array<float>(99);
  expect_error((*kernel)(x, y).wait());
  expect_error(y.to_host());    // it was to be written
  expect_error(gpu->finish());  // the first error since the last finish()
  y.fill(0);
  if (!y.to_host()) ++silent;  // well again
  expect_error(x.slice(90, 20).to_host());
  return silent;
}
