// Requests from four threads, one by one; vyre gathers them into dispatches of the size that pays.
#include <cstdio>
#include <thread>

#include "vyre/vyre.h"

constexpr auto text = R"(program norm {
  uniform n: u32 = 1  uniform k: u32 = 1
  buffer x: f32[n * k] read  buffer y: f32[n] write
  grid n
  var squares = 0.0
  for i in 0 .. k { squares = fma(x[invocation.x * k + i], x[invocation.x * k + i], squares) }
  y[invocation.x] = sqrt(squares)
})";

vyre::Result<void> run() {
  // No search while requests wait: what `vyre tune` or an earlier run found is used.
  VYRE_TRY(auto gpu, vyre::Context::open({.mode = vyre::tune::Mode::stored}));
  VYRE_TRY(auto norm, gpu.kernel<const float, float>(text));
  double sum = 0;
  vyre::Result<void> failed;
  const auto add = [&](std::size_t, vyre::Result<std::vector<float>> norms) {
    if (!norms) failed = vyre::Failure(norms.error());
    for (const float each : norms ? *norms : std::vector<float>()) sum += each;
  };
  VYRE_TRY(auto queue, gpu.batches(norm, {.least = 64, .most = 256, .item = {{4}, {}}}, add));

  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) queue.push(std::vector<float>{1, 1, 1, 1});
    });
  }
  for (std::thread& thread : threads) thread.join();
  VYRE_CHECK(queue.flush());
  VYRE_CHECK(failed);
  const vyre::BatchStats stats = queue.stats();
  std::printf("%.0f from %llu dispatches, of %u items in the end\n", sum,
              static_cast<unsigned long long>(stats.dispatches), stats.size);
  return sum == 40'000 ? vyre::Result<void>() : vyre::fail(vyre::ErrorKind::run, "a wrong sum");
}

int main() { return vyre::exit_status(run()); }
