// gemm_N_vs_openblas, gemm_1024_vs_clblast: square matrix products, packing included.
#include <cblas.h>
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "bench.h"
#include "clblast_gemm.h"
#include "rounds.h"
#include "vyre/device/device.h"
#include "vyre/primitives/gemm.h"

namespace vyre::bench {
namespace {

std::vector<float> random_matrix(std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> made(n * n);
  for (float& value : made) value = static_cast<float>(std::ldexp(random(), -31) - 1);
  return made;
}

struct Square {
  std::size_t n;
  std::vector<float> a = random_matrix(n, 1);
  std::vector<float> b = random_matrix(n, 2);
  std::vector<float> c = std::vector<float>(n * n);
};

void openblas(Square& square) {
  const int n = static_cast<int>(square.n);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, square.a.data(), n,
              square.b.data(), n, 0, square.c.data(), n);
}

double gigaflops(std::size_t n, double ns) { return 2 * std::pow(static_cast<double>(n), 3) / ns; }

Row ratio(std::string name, const std::vector<std::vector<double>>& times, double target,
          std::string baseline, std::size_t n) {
  return {.name = std::move(name),
          .value = best_other_to_first(times),
          .target = target,
          .better = Better::higher,
          .baseline = std::move(baseline),
          .note = fmt::format("vyre {:.0f} GFLOP/s, peer {:.0f}", gigaflops(n, median(times[0])),
                              gigaflops(n, median(times[1])))};
}

Result<std::vector<Row>> measure_square(device::Device& device, Square square) {
  const auto size = static_cast<std::uint32_t>(square.n);
  auto gemm = primitives::Gemm::make(device, {.m = size, .n = size, .k = size});
  if (!gemm) return Unexpected(gemm.error());
  if (auto done = (*gemm)(square.a, square.b, square.c); !done) {
    return Unexpected(done.error());
  }
  bool good = true;
  const Side ours{"vyre", [&] { good = good && gemm->launch().has_value(); }};
  std::vector<Row> rows;
  auto times = take_turns({ours, {"OpenBLAS", [&] { openblas(square); }}}, 31);
  rows.push_back(ratio(fmt::format("gemm_{}_vs_openblas", size), times, 0.8,
                       "OpenBLAS sgemm, 2 threads", square.n));
  if (square.n == 1024) {
    auto peer = ClblastGemm::make(square.n, square.a, square.b);
    if (!peer) return Unexpected(peer.error());
    times = take_turns({ours, {"CLBlast", [&] { good = good && peer->launch(); }}}, 7);
    rows.push_back(
        ratio("gemm_1024_vs_clblast", times, 5, "CLBlast as shipped, same device", square.n));
  }
  if (!good) return fail(ErrorKind::device, "a launch failed");
  return rows;
}

Result<std::vector<Row>> measure() {
  openblas_set_num_threads(2);
  auto device = device::open("opencl");
  if (!device) return Unexpected(device.error());
  std::vector<Row> rows;
  for (const std::size_t n : {512UL, 1024UL}) {
    auto more = measure_square(**device, Square{n});
    if (!more) return Unexpected(more.error());
    rows.insert(rows.end(), more->begin(), more->end());
  }
  return rows;
}

}  // namespace

Benchmark gemm_speed() {
  return {{"gemm_512_vs_openblas", "gemm_1024_vs_openblas", "gemm_1024_vs_clblast"}, measure};
}

}  // namespace vyre::bench
