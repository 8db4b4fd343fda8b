#include "tune/members.h"

#include <fmt/format.h>

#include <algorithm>

#include "run/sizes.h"

namespace vyre::tune {

Result<Members> Members::make(worker::Session& session, const Family& family,
                              const Workload& workload, Truth truth) {
  Members made(session, family, workload);
  const auto program = family.member(family.original);
  if (!program) return std::unexpected(program.error());
  auto expected =
      truth == Truth::original ? made.run_original(*program) : made.interpret_original(*program);
  if (!expected) return std::unexpected(expected.error());
  for (trial::Expected& one : *expected) {
    if (std::ranges::find(family.scratch, one.buffer) != family.scratch.end()) continue;
    one.tolerance = family.tolerance;
    made.expected_.push_back(std::move(one));
  }
  return made;
}

Result<std::vector<trial::Expected>> Members::interpret_original(const ir::Program& program) const {
  auto candidate =
      trial::candidate({program, workload_->uniforms}, workload_->buffers, session_->language());
  if (!candidate) return std::unexpected(candidate.error());
  return std::move(candidate->expected);
}

Result<std::vector<trial::Expected>> Members::run_original(const ir::Program& program) const {
  const auto candidate = trial::candidate({program, workload_->uniforms}, workload_->buffers,
                                          session_->language(), {.expect = false});
  if (!candidate) return std::unexpected(candidate.error());
  const auto failed = [&](const Error& error) -> std::unexpected<Error> {
    const auto verdict = trial::verdict_of(error);
    if (!verdict) return std::unexpected(error);
    return std::unexpected(check_original({*verdict, error.message, {}}).error());
  };
  const auto id = session_->build(candidate->kernel);
  if (!id) return failed(id.error());
  auto output = session_->run(*id);
  session_->forget(*id);
  if (!output) return failed(output.error());

  std::vector<trial::Expected> expected;
  const auto declared = run::global_buffers(program);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].access == Access::read) continue;
    expected.push_back({.argument = i,
                        .buffer = declared[i].name,
                        .element = declared[i].element,
                        .content = worker::data(std::move(output->buffers[i].bytes)),
                        .tolerance = {}});
  }
  return expected;
}

Result<trial::Candidate> Members::candidate(space::Index index) const {
  const auto program = family_->member(index);
  if (!program) return std::unexpected(program.error());
  auto candidate = trial::candidate({*program, workload_->uniforms}, workload_->buffers,
                                    session_->language(), {.expect = false});
  if (!candidate) return candidate;
  candidate->name = family_->space.key(index);
  candidate->expected = expected_;
  return candidate;
}

Result<trial::Outcome> Members::evaluate(space::Index index, const trial::EvaluateOptions& how,
                                         Clock& clock) const {
  const auto made = candidate(index);
  if (!made) {
    return trial::Outcome{.verdict = Verdict::constraints, .reason = made.error().message};
  }
  const auto evaluated = trial::evaluate(*session_, *made, how, clock);
  if (!evaluated) return std::unexpected(evaluated.error());
  return evaluated->outcome();
}

Result<void> Members::check_original(const trial::Outcome& outcome) const {
  if (outcome.verdict == Verdict::correct) return {};
  return fail(ErrorKind::run, fmt::format("{} as it is fails ({}): {}", family_->name,
                                          name_of(outcome.verdict), outcome.reason));
}

}  // namespace vyre::tune
