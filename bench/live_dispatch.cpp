// live_dispatch_ratio: a call of a kernel that was tuned by its calls and has settled, with a wait
// for it, against clEnqueueNDRangeKernel + clFinish with the same configuration.
#include <fmt/format.h>

#include "bench.h"
#include "raw_launch.h"
#include "tiny_program.h"
#include "vyre/ir/text.h"
#include "vyre/schedule/schedule.h"
#include "vyre/vyre.h"

namespace vyre::bench {
namespace {

using namespace std::chrono_literals;

// Calls it until nothing is left to find out.
template <class Call>
Result<void> settle(const Call& call, const detail::AnyKernel& kernel) {
  const auto deadline = std::chrono::steady_clock::now() + 2min;
  while (std::chrono::steady_clock::now() < deadline) {
    for (int i = 0; i < 100; ++i) VYRE_CHECK(call().wait());
    if (kernel.live().searched && kernel.live().settled) return {};
  }
  return fail(ErrorKind::timeout, "it has not settled: " + kernel.why());
}

Result<std::vector<Row>> measure() {
  VYRE_TRY(const auto tiny, open_tiny_program());
  VYRE_TRY(const auto gpu, Context::open({.mode = tune::Mode::live,
                                          .store = "none",
                                          .live = {.share = 1, .evaluations = 6}}));
  VYRE_TRY(const auto kernel, gpu.kernel<float>(tiny.program));
  const auto x = gpu.array<float>(64);
  const auto call = [&] { return kernel(x); };
  VYRE_CHECK(settle(call, kernel));
  VYRE_TRY(const auto schedule, schedule::parse_schedule(kernel.configuration(),
                                                         schedule::default_schedule(tiny.program)));
  VYRE_TRY(const auto chosen, schedule::apply(tiny.program, schedule));
  RawQueue raw;
  VYRE_CHECK(raw.prepare(chosen));
  VYRE_TRY(auto row,
           against_raw("live_dispatch_ratio", [&] { return call().wait().has_value(); }, raw));
  row.note += "; " + kernel.configuration();
  return std::vector<Row>{row};
}

}  // namespace

Benchmark live_dispatch() { return {{"live_dispatch_ratio"}, measure}; }

}  // namespace vyre::bench
