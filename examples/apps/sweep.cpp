// Workgroups of a kernel, timed by the program itself, and what the natural-gradient policy makes
// of the times.
#include <cstdio>
#include <vector>

#include "vyre/ir/text.h"
#include "vyre/run/run.h"
#include "vyre/tune/natural_sweep.h"
#include "vyre/vyre.h"

constexpr const char* text = R"(program triple {
  buffer x: f32[262144] read_write
  grid 262144
  x[invocation.x] = x[invocation.x] * 3.0
})";

vyre::Result<void> run() {
  VYRE_TRY(const auto device, vyre::device::open("default"));
  VYRE_TRY(auto program, vyre::ir::parse(text));
  VYRE_TRY(const auto x, device->allocate(262144 * sizeof(float)));
  std::vector<vyre::device::Buffer*> buffers = {x.get()};
  const auto timer = [&](const vyre::Extent& workgroup) -> vyre::Result<std::uint64_t> {
    program.workgroup = workgroup;
    VYRE_TRY(auto executable, vyre::run::compile(*device, {program, {}}));
    VYRE_CHECK(executable.launch(buffers));  // drivers compile at a first launch
    VYRE_TRY(const auto timing, executable.time(buffers));
    return timing.device_ns;
  };
  const std::vector<vyre::Extent> candidates = {{32, 1, 1}, {128, 1, 1}, {512, 1, 1}};
  VYRE_TRY(const auto sweep, vyre::tune::natural_sweep(*device, candidates, timer));
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::printf("%4u: %6.1f us, weight %.2f\n", candidates[i][0],
                static_cast<double>(sweep.measured[i].ns) / 1e3, sweep.weights[i] / 65536.0);
  }
  std::printf("selected %u, fastest %u\n", sweep.selected.workgroup[0], sweep.fastest.workgroup[0]);
  return {};
}

int main() { return vyre::exit_status(run()); }
