// launch_overhead_ratio: a launch through vyre against clEnqueueNDRangeKernel + clFinish on the
// same kernel, same buffer, same shape.
#include "bench.h"
#include "raw_launch.h"
#include "tiny_program.h"
#include "vyre/run/run.h"

namespace vyre::bench {
namespace {

Result<std::vector<Row>> measure() {
  const auto tiny = open_tiny_program();
  if (!tiny) return Unexpected(tiny.error());
  const auto buffers = tiny->buffers();
  auto executable = run::compile(*tiny->device, run::Request{tiny->program, {}});
  if (!executable) return Unexpected(executable.error());
  RawQueue raw;
  if (auto ready = raw.prepare(tiny->program); !ready) return Unexpected(ready.error());

  auto row = against_raw(
      "launch_overhead_ratio", [&] { return executable->launch(buffers).has_value(); }, raw);
  if (!row) return Unexpected(row.error());
  return std::vector<Row>{*row};
}

}  // namespace

Benchmark launch_overhead() { return {{"launch_overhead_ratio"}, measure}; }

}  // namespace vyre::bench
