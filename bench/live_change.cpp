// live_after_size, live_after_load: a call as `tune` finds it best in the new state / a call, five
// seconds after the size changed, and after a thread began to keep a core busy.
#include <fmt/format.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>

#include "bench.h"
#include "vyre/vyre.h"

namespace vyre::bench {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;
using Transpose = Kernel<const float, float>;

std::string transpose_text() {
  std::ifstream file(std::string(VYRE_PLAIN_EXAMPLES) + "/transpose.vy");
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Arrays {
  Array<float> a;
  Array<float> t;
};

// Seconds of a call, by calls for so long.
Result<double> call_for(const Transpose& kernel, const Arrays& arrays, Seconds time) {
  const auto began = std::chrono::steady_clock::now();
  double calls = 0;
  Seconds took{};
  do {
    for (int i = 0; i < 4; ++i) kernel(arrays.a, arrays.t);
    VYRE_CHECK(kernel(arrays.a, arrays.t).wait());
    calls += 5;
    took = std::chrono::steady_clock::now() - began;
  } while (took < time);
  return took.count() / calls;
}

// What `tune` would have found / what runs, in the state at hand.
Result<double> against_tuned(const Context& gpu, const Transpose& live, const Arrays& arrays) {
  VYRE_TRY(const auto tuned, (gpu.kernel<const float, float>(transpose_text())));
  VYRE_CHECK(tuned.tune(arrays.a, arrays.t, {.budget = 20s}));
  // The one may be taking turns at this moment: it is tuned if there is something to take turns.
  if (live.live().arms.size() < 2) return fail(ErrorKind::run, "it is not tuned: " + live.why());
  if (!tuned.tuned()) return fail(ErrorKind::run, "it is not tuned: " + tuned.why());
  std::vector<double> ratios;
  for (int round = 0; round < 9; ++round) {
    VYRE_TRY(const double own, call_for(live, arrays, 300ms));
    VYRE_TRY(const double best, call_for(tuned, arrays, 300ms));
    ratios.push_back(best / own);
  }
  return median(ratios);
}

// Five seconds of calls, then the comparison.
Result<double> after_change(const Context& gpu, const Transpose& live, const Arrays& arrays) {
  VYRE_CHECK(call_for(live, arrays, 5s));
  return against_tuned(gpu, live, arrays);
}

Row row(const char* name, double value, const char* against) {
  return {.name = name,
          .value = value,
          .target = 0.9,
          .better = Better::higher,
          .baseline = against,
          .note = {}};
}

Result<std::vector<Row>> measure() {
  ContextOptions options{.mode = tune::Mode::live, .store = "none"};
  options.worker.program = VYRE_WORKER;
  VYRE_TRY(const auto gpu, Context::open(options));
  VYRE_TRY(const auto live, (gpu.kernel<const float, float>(transpose_text())));
  const auto arrays_of = [&](std::size_t h, std::size_t w) {
    return Arrays{gpu.array<float>({h, w}), gpu.array<float>({w, h})};
  };
  VYRE_CHECK(call_for(live, arrays_of(1536, 1536), 30s));
  const Arrays others = arrays_of(1024, 2048);
  VYRE_TRY(const double size, after_change(gpu, live, others));
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop) {
    }
  });
  const auto loaded = after_change(gpu, live, others);
  stop = true;
  busy.join();
  VYRE_TRY(const double load, loaded);
  return std::vector<Row>{
      row("live_after_size", size, "what `tune` finds for the new size"),
      row("live_after_load", load, "what `tune` finds beside a thread that keeps a core busy")};
}

}  // namespace

Benchmark live_change() { return {{"live_after_size", "live_after_load"}, measure}; }

}  // namespace vyre::bench
