// The tuner's mathematics as one call each, copies to and from the device included. The targets are
// budgets: what a search can spend on a step without noticing.
#include <fmt/format.h>

#include <random>

#include "bench.h"
#include "vyre/primitives/everyday.h"
#include "vyre/primitives/fisher.h"
#include "vyre/primitives/kfac.h"
#include "vyre/primitives/natural_gradient.h"
#include "vyre/primitives/sheaf.h"
#include "vyre/primitives/softmax.h"

namespace vyre::bench {
namespace {

using primitives::Sheaf;

constexpr int rounds = 25;

// The value; a failure ends the benchmark, see measure().
template <class T>
T good(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

double median_us(const std::function<void()>& work) {
  work();
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) times.push_back(wall_ns(work) / 1e3);
  return median(times);
}

std::vector<float> random_floats(std::size_t count) {
  std::mt19937 random(1);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random()) * 0x1p-31F - 1;
  return values;
}

// A + A^T with a heavy diagonal.
std::vector<float> positive_definite(std::size_t n) {
  std::vector<float> m = random_floats(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) m[i * n + j] = m[j * n + i];
    m[i * n + i] = static_cast<float>(n);
  }
  return m;
}

Row row(std::string name, double us, double target, std::string note) {
  return {.name = std::move(name),
          .value = us,
          .target = target,
          .better = Better::lower,
          .baseline = "fixed time",
          .note = std::move(note)};
}

Row natural_gradient(device::Device& device) {
  constexpr std::uint32_t n = 256;
  auto apply = good(primitives::NaturalGradient::make(device, {.n = n}));
  const auto w = random_floats(n * n);
  const auto g = random_floats(n);
  std::vector<float> out(n);
  const double us = median_us([&] { good(apply(w, g, out)); });
  return row("natural_gradient_256_us", us, 1000, "256 x 256, f32");
}

Row natural_gradient_fixed(device::Device& device) {
  constexpr std::uint32_t n = 256;
  auto apply = good(primitives::NaturalGradient::make(device, {.n = n, .element = Scalar::i32}));
  const std::vector<std::int32_t> w(n * n, 12345);
  const std::vector<std::int32_t> g(n, -54321);
  std::vector<std::int32_t> out(n);
  const double us = median_us([&] { good(apply(w, g, out)); });
  return row("natural_gradient_fixed_us", us, 2000, "256 x 256, Q16.16");
}

Row newton_schulz(device::Device& device) {
  constexpr std::uint32_t n = 64;
  auto inverse_sqrt = good(primitives::NewtonSchulz::make(device, {.n = n}));
  const auto m = positive_definite(n);
  std::vector<float> root(m.size());
  std::uint32_t iterations = 0;
  const double us = median_us([&] { iterations = good(inverse_sqrt(m, root)).iterations; });
  return row("newton_schulz_64_us", us, 30000, fmt::format("{} iterations", iterations));
}

Row softmax(device::Device& device) {
  constexpr std::uint32_t n = 1024;
  auto weigh = good(primitives::Softmax::make(device, {.n = n}));
  std::vector<std::uint64_t> times(n);
  for (std::uint32_t i = 0; i < n; ++i) times[i] = 1'000'000 + i * 37 % 50'000;
  std::vector<std::int32_t> weights(n);
  const double us = median_us([&] { good(weigh(times, weights)); });
  return row("softmax_1024_us", us, 1000, "1024 times");
}

Row fisher_step(device::Device& device) {
  constexpr std::uint32_t n = 32;
  auto fisher = good(primitives::Fisher::make(device, {.parameters = n, .window = 128}));
  const auto scores = random_floats(std::size_t{n} * 128);
  for (std::size_t i = 0; i < 128; ++i) good(fisher.add(std::span(scores).subspan(i * n, n)));
  std::vector<float> step(n);
  const std::span<const float> g = std::span(scores).first(n);
  const double us = median_us([&] {
    good(fisher.add(g));
    good(fisher.natural_step(0.1F, g, step));
  });
  return row("fisher_step_32_us", us, 20000, "32 parameters, 128 samples, all parts");
}

Row sheaf_step(device::Device& device) {
  constexpr std::uint32_t nodes = 10'000;
  std::mt19937 random(2);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges(3 * nodes);
  for (auto& [u, v] : edges) {
    u = static_cast<std::uint32_t>(random() % nodes);
    v = static_cast<std::uint32_t>(random() % nodes);
  }
  const Sheaf sheaf = primitives::constant_sheaf(nodes, edges, 4);
  auto diffusion = good(primitives::SheafDiffusion::make(device, sheaf));
  auto x = random_floats(primitives::node_space(sheaf));
  constexpr std::uint32_t steps = 10;
  const double us = median_us(
      [&] { good(diffusion.diffuse(x, x, {.step = 0.01F, .tolerance = 0, .max_iters = steps})); });
  return row("sheaf_step_us", us / steps, 10000, "10,000 nodes, 30,000 edges, stalks of 4");
}

Result<std::vector<Row>> measure() {
  auto device = device::open("opencl");
  if (!device) return Unexpected(device.error());
  try {
    return std::vector<Row>{natural_gradient(**device), natural_gradient_fixed(**device),
                            newton_schulz(**device),    softmax(**device),
                            fisher_step(**device),      sheaf_step(**device)};
  } catch (const std::runtime_error& e) {
    return fail(ErrorKind::run, e.what());
  }
}

}  // namespace

Benchmark mathematics_speed() {
  return {{"natural_gradient_256_us", "natural_gradient_fixed_us", "newton_schulz_64_us",
           "softmax_1024_us", "fisher_step_32_us", "sheaf_step_us"},
          measure};
}

}  // namespace vyre::bench
