#include "trial/back_to_back.h"

#include <vector>

#include "measure/repeat.h"
#include "measure/statistics.h"

namespace vyre::trial {
namespace {

// A worker restores what is read_write before each launch, and then has to wait in between.
worker::Job never_restored(worker::Job job) {
  for (worker::Argument& argument : job.arguments) {
    auto* buffer = std::get_if<worker::BufferArgument>(&argument);
    if (buffer != nullptr && buffer->access == Access::read_write) buffer->access = Access::write;
  }
  return job;
}

Result<double> wall_of_one(worker::Session& session, worker::KernelId id, std::uint32_t launches) {
  VYRE_TRY(const auto timing, session.time(id, launches));
  return static_cast<double>(timing.wall_ns) / launches;
}

Result<BackToBack> take_batches(worker::Session& session, worker::KernelId id,
                                const BackToBackOptions& options, Clock& clock) {
  const auto began = clock.now();
  VYRE_CHECK(session.time(id, 1));
  VYRE_TRY(const double warm_ns, wall_of_one(session, id, 1));
  const std::uint32_t launches =
      measure::launches_for(warm_ns, options.batch, options.max_launches);
  std::vector<double> times;
  do {
    VYRE_TRY(const double one, wall_of_one(session, id, launches));
    times.push_back(one);
  } while (times.size() < options.batches && clock.now() - began < options.budget);
  return BackToBack{{measure::median(times), measure::bootstrap(times, 0.5)}, launches};
}

}  // namespace

Result<BackToBack> back_to_back(worker::Session& session, const Candidate& candidate,
                                const BackToBackOptions& options, Clock& clock) {
  VYRE_TRY(const auto id, session.build(never_restored(candidate.kernel)));
  auto taken = take_batches(session, id, options, clock);
  session.forget(id);
  return taken;
}

}  // namespace vyre::trial
