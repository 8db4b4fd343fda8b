// The heat equation on a square, 1,000 steps, against its closed form: a sine keeps its shape.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "vyre/vyre.h"

constexpr auto text = R"(program heat {
  uniform n: u32 = 4
  buffer u: f32[n * n] read
  buffer v: f32[n * n] write
  grid n, n
  let x = invocation.x  let y = invocation.y  let i = y * n + x
  if x > 0 & x < n - 1 & y > 0 & y < n - 1 {
    v[i] = fma(0.2, u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - 4.0 * u[i], u[i])
  } else { v[i] = u[i] }
})";

vyre::Result<void> run() {
  constexpr std::size_t n = 129;
  const double k = std::numbers::pi / (n - 1);
  std::vector<float> start(n * n);
  for (auto i = 0U; i < n * n; ++i) start[i] = std::sin(k * (i / n)) * std::sin(k * (i % n));

  VYRE_TRY(auto gpu, vyre::Context::open());
  VYRE_TRY(auto heat, gpu.kernel<const float, float>(text));
  auto u = gpu.array(start, {n, n}), v = gpu.array<float>({n, n});
  VYRE_CHECK(heat.tune(u, v, {.evaluations = 6}));                      // ahead of time
  for (int step = 0; step < 1000; ++step, std::swap(u, v)) heat(u, v);  // enqueued
  VYRE_TRY(const auto end, u.to_host());                                // waits
  std::puts((heat.configuration() + ": " + (heat.tuned() ? "tuned" : heat.why())).c_str());

  float worst = 0, decay = std::pow(1 + 0.8 * (std::cos(k) - 1), 1000);
  for (auto i = 0U; i < n * n; ++i) worst = std::max(worst, std::abs(end[i] - decay * start[i]));
  if (worst < 1e-4F) return {};
  return vyre::fail(vyre::ErrorKind::run, "off by " + std::to_string(worst));
}

int main() { return vyre::exit_status(run()); }
