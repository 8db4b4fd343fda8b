// launch_overhead_ratio: a launch through vyre against clEnqueueNDRangeKernel + clFinish on the
// same kernel, same buffer, same shape.
#include "bench.h"
#include "raw_launch.h"
#include "vyre/device/device.h"
#include "vyre/ir/text.h"
#include "vyre/run/run.h"

namespace vyre::bench {
namespace {

constexpr std::string_view text = R"(program tiny {
  buffer x: f32[64] read_write
  grid 64
  let i = invocation.x
  x[i] = x[i] + 1.0
})";

Result<std::vector<Row>> measure() {
  const auto program = ir::parse(text);
  if (!program) return std::unexpected(program.error()[0]);
  auto device = device::open("opencl");
  if (!device) return std::unexpected(device.error());
  auto executable = run::compile(**device, run::Request{*program, {}});
  if (!executable) return std::unexpected(executable.error());
  auto buffer = (*device)->allocate(64 * sizeof(float));
  if (!buffer) return std::unexpected(buffer.error());
  device::Buffer* const buffers[] = {buffer->get()};
  RawLaunch raw;
  if (auto ready = raw.prepare(*program); !ready) return std::unexpected(ready.error());

  auto row = against_raw(
      "launch_overhead_ratio", [&] { return executable->launch(buffers).has_value(); }, raw);
  if (!row) return std::unexpected(row.error());
  return std::vector<Row>{*row};
}

}  // namespace

Benchmark launch_overhead() { return {{"launch_overhead_ratio"}, measure}; }

}  // namespace vyre::bench
