#include "tune/reordering.h"

#include <algorithm>

#include "tune/remember.h"
#include "tune/start.h"
#include "tune/tune.h"

namespace vyre::tune {
namespace {

double time_of(const Attempt& attempt) {
  const bool correct = attempt.outcome.verdict == Verdict::correct;
  return correct ? attempt.outcome.measured->estimate_ns : 0;
}

}  // namespace

std::optional<Family> reordered_family(const ir::Program& program, const ir::Uniforms& uniforms,
                                       const device::Limits& limits) {
  if (program.reassociate) return {};
  ir::Program marked = program;
  marked.reassociate = true;
  auto reordered = family_of(marked, uniforms, limits);
  const auto plain = family_of(program, uniforms, limits);
  if (!reordered || !plain || reordered->space.size() <= plain->space.size()) return {};
  return *std::move(reordered);
}

Result<double> reordering_gain(trial::Evaluator& evaluator, const Family& reordered,
                               const Workload& workload, const store::Decision& decided,
                               const ReorderingOptions& options, Clock& clock) {
  VYRE_TRY(const space::Index member, member_of(reordered, decided));
  LoopOptions loop;
  loop.tune.seed = options.seed;
  loop.tune.time = options.time;
  loop.tune.evaluations = options.evaluations;
  loop.finalists = 0;
  loop.first = {member};
  loop.promising = promising_members(reordered, nullptr);
  const Watch watch = [&](const Progress&) { return !options.stop || !options.stop(); };
  VYRE_TRY(const Tuning tuning, tune(evaluator, reordered, workload, loop, watch, clock));
  double before = 0;
  double best = 0;
  for (const Attempt& attempt : tuning.attempts) {
    const double time = time_of(attempt);
    if (attempt.index == member) before = time;
    if (time > 0 && (best == 0 || time < best)) best = time;
  }
  return before > 0 && best > 0 ? before / best : 1;
}

}  // namespace vyre::tune
