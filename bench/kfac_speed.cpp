// kfac_N_vs_best: batched inverses of symmetric positive definite blocks against the better of
// Eigen and OpenBLAS, which invert block after block on two threads.
#include <cblas.h>
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "bench.h"
#include "inverse_peers.h"
#include "rounds.h"
#include "team.h"
#include "vyre/device/device.h"
#include "vyre/primitives/kfac.h"

namespace vyre::bench {
namespace {

struct Batch {
  std::uint32_t blocks;
  std::uint32_t n;
  double target;
};
constexpr Batch batches[] = {{1000, 16, 5}, {10000, 8, 5}, {64, 128, 1}};

// G G^T / n + I / 10.
std::vector<float> random_blocks(const Batch& batch) {
  std::mt19937 random(1);
  const std::size_t n = batch.n;
  std::vector<float> made;
  std::vector<float> g(n * n);
  for (std::uint32_t b = 0; b < batch.blocks; ++b) {
    for (float& value : g) value = static_cast<float>(std::ldexp(random(), -31) - 1);
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) {
        float sum = r == c ? 0.1F : 0;
        for (std::size_t i = 0; i < n; ++i) {
          sum += g[r * n + i] * g[c * n + i] / static_cast<float>(n);
        }
        made.push_back(sum);
      }
    }
  }
  return made;
}

Result<Row> measure_batch(device::Device& device, const Batch& batch) {
  auto inverse =
      primitives::KfacBlockInverse::make(device, {.num_blocks = batch.blocks, .n = batch.n});
  if (!inverse) return Unexpected(inverse.error());
  const std::vector<float> in = random_blocks(batch);
  std::vector<float> out(in.size());
  if (auto done = (*inverse)(in, out); !done) return Unexpected(done.error());
  if (!inverse->reports().empty()) return fail(ErrorKind::run, "a block was not inverted");

  Team team;
  bool launched = true;
  const auto peer = [&](std::string name, auto* invert) {
    return Side{std::move(name), [&, invert] {
                  team.split(batch.blocks, [&](std::size_t begin, std::size_t end) {
                    invert(in.data(), out.data(), static_cast<int>(batch.n), begin, end);
                  });
                }};
  };
  const std::vector<Side> sides = {
      {"vyre", [&] { launched = launched && inverse->launch().has_value(); }},
      peer("Eigen", eigen_inverse),
      peer("Eigen of fixed size", eigen_fixed_inverse),
      peer("OpenBLAS", lapack_inverse)};
  const auto times = take_turns(sides, 31);
  if (!launched) return fail(ErrorKind::device, "a launch failed");
  return Row{.name = fmt::format("kfac_{}_vs_best", batch.n),
             .value = best_other_to_first(times),
             .target = batch.target,
             .better = Better::higher,
             .baseline = "the best of Eigen LLT and OpenBLAS potrf+potri, 2 threads",
             .note = fmt::format("{} blocks: {}", batch.blocks, medians(sides, times))};
}

Result<std::vector<Row>> measure() {
  openblas_set_num_threads(1);  // the team gives each of its threads whole blocks
  auto device = device::open("opencl");
  if (!device) return Unexpected(device.error());
  std::vector<Row> rows;
  for (const Batch& batch : batches) {
    auto row = measure_batch(**device, batch);
    if (!row) return Unexpected(row.error());
    rows.push_back(*std::move(row));
  }
  return rows;
}

}  // namespace

Benchmark kfac_speed() {
  return {{"kfac_16_vs_best", "kfac_8_vs_best", "kfac_128_vs_best"}, measure};
}

}  // namespace vyre::bench
