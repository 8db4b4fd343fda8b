#include "tuner.h"

#include <algorithm>
#include <utility>

#include "run/data.h"
#include "run/sizes.h"
#include "tune/start.h"

namespace vyre::learn {
namespace {

tune::LoopOptions options_for(std::vector<space::Index> first, const Budget& budget) {
  tune::LoopOptions options;
  options.tune.time = budget.time;
  options.tune.evaluations = budget.tries;
  options.finalists = 1;
  options.first = std::move(first);
  options.evaluate.repeat.budget = std::chrono::milliseconds(100);
  options.race.budget = std::chrono::milliseconds(500);
  return options;
}

double time_of(const tune::Attempt& attempt) {
  return attempt.outcome.verdict == Verdict::correct ? attempt.outcome.measured->estimate_ns : 0;
}

Result<std::vector<worker::Data>> contents_of(const ir::Program& program) {
  std::vector<worker::Data> contents;
  for (const ir::Buffer& buffer : run::global_buffers(program)) {
    const auto count = ir::evaluate_size(program, buffer.count);
    if (!count) return Unexpected(count.error());
    auto bytes = run::make_data("random:1", buffer.element, *count);
    if (!bytes) return Unexpected(bytes.error());
    contents.push_back(worker::data(*std::move(bytes)));
  }
  return contents;
}

}  // namespace

Result<Tuner> Tuner::start(const std::string& device) {
  auto evaluator = trial::Evaluator::start({.device = device}, 0);
  if (!evaluator) return Unexpected(evaluator.error());
  return Tuner(*std::move(evaluator));
}

Result<Subject> Tuner::subject(const ir::Program& program) const {
  const auto features = schedule::features(program);
  if (!features) return Unexpected(features.error());
  auto family = tune::family_of(program, {}, adapter().limits);
  if (!family) return Unexpected(family.error());
  auto contents = contents_of(program);
  if (!contents) return Unexpected(contents.error());
  // Only to compare with: the search does without what was learned before, and the file is made
  // from nothing.
  std::vector<space::Index> promising = tune::promising_members(*family, nullptr);
  return Subject{.name = program.name,
                 .features = *features,
                 .family = *std::move(family),
                 .workload = {{}, *std::move(contents)},
                 .promising = std::move(promising)};
}

Result<Found> Tuner::search(const Subject& subject, std::vector<space::Index> first,
                            const Budget& budget) {
  const auto tuning = tune::tune(evaluator_, subject.family, subject.workload,
                                 options_for(std::move(first), budget));
  if (!tuning) return Unexpected(tuning.error());
  Found found{.member = tuning->winner()};
  const auto& baseline = tuning->judgement.baseline;
  if (tuning->judgement.gain != tune::Gain::faster || !baseline) return found;
  found.gain = baseline->speedup.value;
  found.sure = baseline->speedup.interval.low > 1;
  return found;
}

Result<std::vector<double>> Tuner::gains(const Subject& subject,
                                         const std::vector<space::Index>& members) {
  // One try is the program as it is; `members` are tried whatever the budget.
  tune::LoopOptions options = options_for(members, {.time = std::chrono::minutes(5), .tries = 1});
  options.finalists = 0;
  const auto tuning = tune::tune(evaluator_, subject.family, subject.workload, options);
  if (!tuning) return Unexpected(tuning.error());
  const double baseline = time_of(tuning->attempts.front());
  std::vector<double> made;
  for (const space::Index member : members) {
    const auto at = std::ranges::find(tuning->attempts, member, &tune::Attempt::index);
    const double time = at == tuning->attempts.end() ? 0 : time_of(*at);
    made.push_back(time > 0 ? baseline / time : 0);
  }
  return made;
}

}  // namespace vyre::learn
