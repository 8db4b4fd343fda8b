// reduce_vs_copy and elementwise_vs_copy: bytes moved per second, against the faster of two copies
// of 16M floats: one on the device, one by memcpy on two threads. A copy moves each byte twice.
#include <fmt/format.h>

#include <cstring>

#include "bench.h"
#include "rounds.h"
#include "team.h"
#include "vyre/device/device.h"
#include "vyre/primitives/everyday.h"

namespace vyre::bench {
namespace {

using primitives::ElementwiseStep;
using primitives::Operation;
using Values = std::span<const ir::Value>;

constexpr std::uint32_t count = 1U << 24U;
constexpr double gigabytes = count * sizeof(float) / 1e9;

std::vector<ElementwiseStep> chain() {
  return {{"scaled", [](Values in) { return std::vector{in[0] * 2 + 1}; }},
          {"clipped", [](Values in) { return std::vector{max(in[0], 0)}; }},
          {"squared", [](Values in) { return std::vector{in[0] * in[0]}; }},
          {"shifted", [](Values in) { return std::vector{in[0] - 3}; }}};
}

Row row(std::string name, const std::vector<std::vector<double>>& times, double ours_moved) {
  std::vector<double> ratios;
  std::vector<double> ours;
  std::vector<double> copies;
  for (std::size_t round = 0; round < times[0].size(); ++round) {
    ours.push_back(ours_moved * gigabytes / times[0][round] * 1e9);
    copies.push_back(2 * gigabytes / std::min(times[1][round], times[2][round]) * 1e9);
    ratios.push_back(ours.back() / copies.back());
  }
  return {.name = std::move(name),
          .value = median(ratios),
          .target = 0.9,
          .better = Better::higher,
          .baseline = "the faster of a copy on the device and memcpy on 2 threads",
          .note = fmt::format("{:.1f} GB/s, copy {:.1f} GB/s", median(ours), median(copies))};
}

Result<std::vector<Row>> measure() {
  auto device = device::open("opencl");
  if (!device) return Unexpected(device.error());
  const ElementwiseStep same{"same", [](Values in) { return std::vector{in[0]}; }};
  auto copy = primitives::elementwise(**device, {.n = count, .steps = {same}});
  auto mapped = primitives::elementwise(**device, {.n = count, .steps = chain()});
  auto reduced = primitives::reduce(**device, {.n = count});
  const std::vector<float> x(count, 0.5F);
  for (auto* operation : {&copy, &mapped, &reduced}) {
    if (!*operation) return Unexpected(operation->error());
    if (auto done = (*operation)->input(0).write(std::span(x)); !done) {
      return Unexpected(done.error());
    }
  }
  std::vector<float> y(count);
  Team team;
  bool good = true;
  const auto launch = [&good](std::string name, Operation& operation) {
    return Side{std::move(name),
                [&good, &operation] { good = good && operation.launch().has_value(); }};
  };
  const Side on_device = launch("copy", *copy);
  const Side by_memcpy{"memcpy", [&] {
                         team.split(count, [&](std::size_t begin, std::size_t end) {
                           std::memcpy(&y[begin], &x[begin], (end - begin) * sizeof(float));
                         });
                       }};
  std::vector<Row> rows;
  rows.push_back(
      row("reduce_vs_copy", take_turns({launch("reduce", *reduced), on_device, by_memcpy}, 41), 1));
  rows.push_back(row("elementwise_vs_copy",
                     take_turns({launch("chain", *mapped), on_device, by_memcpy}, 41), 2));
  if (!good) return fail(ErrorKind::device, "a launch failed");
  return rows;
}

}  // namespace

Benchmark bandwidth() { return {{"reduce_vs_copy", "elementwise_vs_copy"}, measure}; }

}  // namespace vyre::bench
