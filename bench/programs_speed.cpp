// programs_*: what `vyre tune` makes of plain programs in 15 s, beside what others make of the
// same; see bench/programs. One contest of each program serves all rows.
#include <fmt/format.h>

#include "bench.h"
#include "contests.h"
#include "vyre/device/device.h"

namespace vyre::bench {
namespace {

Result<std::vector<Row>> measure_programs() {
  VYRE_TRY(const auto device, device::open("opencl"));
  std::vector<const Entry*> entries;
  for (const Entry& entry : programs()) entries.push_back(&entry);
  const Contests contests = hold_all(entries, *device, {}, [](const Contest&) {});
  if (contests.held.empty()) return fail(ErrorKind::run, contests.failures.front());
  return rows_of(contests);
}

}  // namespace

Benchmark programs_speed() { return {.names = row_names(), .run = measure_programs}; }

}  // namespace vyre::bench
