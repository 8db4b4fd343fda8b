// tuned_dispatch_ratio: a dispatch of a tuned program that has its decision from the store, with a
// count of it, against clEnqueueNDRangeKernel + clFinish with the same workgroup.
#include "bench.h"
#include "directory.h"
#include "raw_launch.h"
#include "tiny_program.h"
#include "tune/family.h"
#include "vyre/store/store.h"
#include "vyre/tune/tuned.h"

namespace vyre::bench {
namespace {

constexpr Extent workgroup = {32, 1, 1};

Result<void> decide(store::Store& store, const ir::Program& program) {
  const auto dispatch = tune::dispatch_of(program, {});
  if (!dispatch) return Unexpected(dispatch.error());
  const auto saved =
      store.record({.key = key_of(*dispatch), .workgroup = workgroup, .evidence = {}});
  if (!saved) return Unexpected(saved.error());
  return {};
}

Result<std::vector<Row>> measure() {
  auto tiny = open_tiny_program();
  if (!tiny) return Unexpected(tiny.error());
  const auto buffers = tiny->buffers();

  const Directory directory;
  store::Store store(directory.path(), store::owner_of(tiny->device->adapter()));
  if (auto decided = decide(store, tiny->program); !decided) return Unexpected(decided.error());
  tune::Counters counters;
  auto tuned =
      Tuned::make(*tiny->device, tiny->program, {}, {.store = &store, .counters = &counters});
  if (!tuned) return Unexpected(tuned.error());
  if (auto done = tuned->dispatch(buffers); !done) return Unexpected(done.error());
  if (tuned->status().origin != tune::Origin::exact) {
    return fail(ErrorKind::run, "the decision was not taken: " + tuned->problem());
  }

  tiny->program.workgroup = workgroup;
  RawQueue raw;
  if (auto ready = raw.prepare(tiny->program); !ready) return Unexpected(ready.error());
  auto row = against_raw(
      "tuned_dispatch_ratio", [&] { return tuned->dispatch(buffers).has_value(); }, raw);
  if (!row) return Unexpected(row.error());
  return std::vector<Row>{*row};
}

}  // namespace

Benchmark tuned_dispatch() { return {{"tuned_dispatch_ratio"}, measure}; }

}  // namespace vyre::bench
