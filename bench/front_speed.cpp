// enqueue_overhead_us: what a call of a kernel on the front door costs over raw OpenCL, in a loop
// of 5,000 that do nothing. heat_128_vs_loop: 1,000 steps of a 128 x 128 stencil, tuned, against
// the same kernel enqueued by hand.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "bench.h"
#include "heat_kernel.h"
#include "raw_queue.h"
#include "vyre/ir/text.h"
#include "vyre/schedule/schedule.h"

namespace vyre::bench {
namespace {

constexpr const char* empty_text = R"(program empty {
  uniform n: u32 = 64
  uniform never: u32 = 4000000000
  buffer x: f32[n] read_write
  grid n
  if invocation.x > never {
    x[invocation.x] = 1.0
  }
}
)";

struct Pair {
  double ours = 0, raw = 0;  // medians in nanoseconds
  double ratio = 0;
  double difference = 0;
};

// Who goes first changes from round to round.
template <class Ours, class Raw>
Pair in_turns(int rounds, const Ours& ours, const Raw& raw) {
  std::vector<double> own, other, ratios, differences;
  for (int round = -3; round < rounds; ++round) {
    double a = 0;
    double b = 0;
    if (round % 2 == 0) a = wall_ns(ours);
    b = wall_ns(raw);
    if (round % 2 != 0) a = wall_ns(ours);
    if (round < 0) continue;
    own.push_back(a);
    other.push_back(b);
    ratios.push_back(a / b);
    differences.push_back(a - b);
  }
  return {median(own), median(other), median(ratios), median(differences)};
}

Result<Row> enqueue_overhead() {
  constexpr int calls = 5000;
  ContextOptions options;
  options.store = "none";
  options.mode = tune::Mode::stored;
  VYRE_TRY(const auto gpu, Context::open(options));
  VYRE_TRY(const auto empty, gpu.kernel<float>(empty_text));
  const auto x = gpu.array<float>(64);
  RawQueue raw;
  VYRE_TRY(const auto program, ir::parse(empty_text));
  VYRE_CHECK(raw.prepare(program));
  Result<void> good;
  const Pair times = in_turns(
      101,
      [&] {
        for (int i = 0; i < calls; ++i) empty(x);
        if (auto done = gpu.finish(); !done) good = done;
      },
      [&] {
        for (int i = 0; i < calls; ++i) raw.enqueue();
        raw.finish();
      });
  VYRE_CHECK(good);
  return Row{.name = "enqueue_overhead_us",
             .value = times.difference / calls / 1e3,
             .target = 0.3,
             .better = Better::lower,
             .baseline = "clEnqueueNDRangeKernel in a loop of 5,000, then clFinish",
             .note = fmt::format("vyre {:.2f} us, raw {:.2f} us a launch", times.ours / calls / 1e3,
                                 times.raw / calls / 1e3)};
}

Result<Row> heat_loop() {
  constexpr int steps = 1000;
  constexpr std::uint32_t n = 128;
  VYRE_TRY(auto heat, Heat::make(n, std::chrono::seconds(10)));
  const ir::Uniforms sizes = {{"w", {Scalar::u32, n}}, {"h", {Scalar::u32, n}}};
  const ir::Program plain = heat_program();
  VYRE_TRY(const auto schedule,
           schedule::parse_schedule(heat.configuration(), schedule::default_schedule(plain)));
  VYRE_TRY(const auto program, schedule::apply(plain, schedule));
  RawQueue raw;
  VYRE_CHECK(raw.prepare(program, sizes));
  Result<void> good;
  const Pair times = in_turns(
      101,
      [&] {
        if (good) good = heat.run(steps);
      },
      [&] {
        for (std::size_t i = 0; i < steps; ++i) {
          raw.bind(std::array<std::size_t, 2>{i % 2, (i + 1) % 2});
          raw.enqueue();
        }
        raw.finish();
      });
  VYRE_CHECK(good);
  return Row{
      .name = "heat_128_vs_loop",
      .value = times.ratio,
      .target = 1.05,
      .better = Better::lower,
      .baseline = "the same kernel enqueued by hand",
      .note = fmt::format("a step: vyre {:.1f} us, raw {:.1f} us; {}", times.ours / steps / 1e3,
                          times.raw / steps / 1e3, heat.configuration())};
}

Result<std::vector<Row>> measure() {
  VYRE_TRY(auto overhead, enqueue_overhead());
  VYRE_TRY(auto heat, heat_loop());
  return std::vector<Row>{std::move(overhead), std::move(heat)};
}

}  // namespace

Benchmark front_speed() { return {{"enqueue_overhead_us", "heat_128_vs_loop"}, measure}; }

}  // namespace vyre::bench
