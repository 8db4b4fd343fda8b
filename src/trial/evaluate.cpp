#include "trial/evaluate.h"

#include <fmt/format.h>

#include <utility>

#include "trial/oclgrind.h"
#include "trial/verify.h"

namespace vyre::trial {
namespace {

Result<void> check_expected(const Candidate& candidate) {
  const auto& arguments = candidate.kernel.arguments;
  for (const Expected& expected : candidate.expected) {
    const auto* buffer = expected.argument < arguments.size()
                             ? std::get_if<worker::BufferArgument>(&arguments[expected.argument])
                             : nullptr;
    if (buffer == nullptr || buffer->content->size() != expected.content->size()) {
      return fail(ErrorKind::input,
                  fmt::format("{}: argument {} is not a buffer of the {} bytes that are expected",
                              candidate.name, expected.argument, expected.content->size()));
    }
  }
  return {};
}

// A verdict if the error is the candidate's, else the error.
Result<Outcome> failed(const Error& error, const Costs& costs) {
  const auto verdict = verdict_of(error);
  if (!verdict) return std::unexpected(error);
  return Outcome{.verdict = *verdict, .reason = error.message, .costs = costs};
}

// Does a step and adds the time that it took, also if it fails.
template <class Step>
auto timed(Clock& clock, std::chrono::nanoseconds& cost, const Step& step) {
  const auto before = clock.now();
  auto result = step();
  cost += clock.now() - before;
  return result;
}

// A result that is wrong in a worker that others have used is computed once more in a new one.
Result<std::optional<Fault>> verified(worker::Session& session, worker::KernelId id,
                                      const Candidate& candidate) {
  const bool doubtful = session.is_used(id);
  auto output = session.run(id);
  if (!output) return std::unexpected(output.error());
  auto fault = find_fault(candidate, *output);
  if (!fault) return fault;
  session.renew();
  if (!doubtful) return fault;
  output = session.run(id);
  if (!output) return std::unexpected(output.error());
  fault = find_fault(candidate, *output);
  if (fault) session.renew();
  return fault;
}

Result<measure::Sample> take_sample(worker::Session& session, worker::KernelId id,
                                    std::uint32_t launches) {
  const auto timing = session.time(id, launches);
  if (!timing) return std::unexpected(timing.error());
  const auto each = [&](std::uint64_t ns) { return static_cast<double>(ns) / launches; };
  return measure::Sample{each(timing->wall_ns), each(timing->device_ns), each(timing->cpu_ns),
                         launches};
}

// A kernel that is built, to its end.
Result<Outcome> judge(worker::Session& session, worker::KernelId id, const Candidate& candidate,
                      const EvaluateOptions& options, Clock& clock, Costs costs) {
  const auto fault = timed(clock, costs.verify, [&] { return verified(session, id, candidate); });
  if (!fault) return failed(fault.error(), costs);
  if (*fault) {
    return Outcome{.verdict = (*fault)->verdict, .reason = (*fault)->reason, .costs = costs};
  }
  measure::RepeatOptions repeat = options.repeat;
  repeat.basis = options.basis.value_or(basis_for(session.adapter()));
  const auto sampler = [&](std::uint32_t launches) { return take_sample(session, id, launches); };
  auto measured =
      timed(clock, costs.measure, [&] { return measure::repeat(sampler, clock, repeat); });
  if (!measured) return failed(measured.error(), costs);
  return Outcome{.measured = *std::move(measured), .costs = costs};
}

}  // namespace

measure::Basis basis_for(const device::Adapter& adapter) {
  return adapter.is_cpu ? measure::Basis::cpu : measure::Basis::device;
}

Evaluated::Evaluated(worker::Session& session, Outcome outcome,
                     std::optional<worker::KernelId> kernel)
    : session_(&session), outcome_(std::move(outcome)), kernel_(kernel) {}

Evaluated::Evaluated(Evaluated&& other) noexcept
    : session_(other.session_),
      outcome_(std::move(other.outcome_)),
      kernel_(std::exchange(other.kernel_, std::nullopt)) {}

Evaluated& Evaluated::operator=(Evaluated&& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(outcome_, other.outcome_);
  std::swap(kernel_, other.kernel_);
  return *this;
}

Evaluated::~Evaluated() {
  if (kernel_) session_->forget(*kernel_);
}

Result<measure::Sample> Evaluated::sample(std::uint32_t launches) {
  if (!kernel_) return fail(ErrorKind::input, "a candidate that failed has no more samples");
  return take_sample(*session_, *kernel_, launches);
}

Result<Evaluated> evaluate(worker::Session& session, const Candidate& candidate,
                           const EvaluateOptions& options, Clock& clock) {
  if (auto sane = check_expected(candidate); !sane) return std::unexpected(sane.error());
  Costs costs;
  if (!options.oclgrind.empty()) {
    const auto found = timed(clock, costs.verify, [&] {
      return run_under_oclgrind(candidate.kernel, options.oclgrind, options.oclgrind_worker);
    });
    if (!found) return std::unexpected(found.error());
    if (*found) {
      const std::string reason = "Oclgrind found:\n" + **found;
      return Evaluated(session, {.verdict = Verdict::runtime, .reason = reason, .costs = costs},
                       {});
    }
  }
  const auto id = timed(clock, costs.build, [&] { return session.build(candidate.kernel); });
  auto outcome =
      id ? judge(session, *id, candidate, options, clock, costs) : failed(id.error(), costs);
  if (!outcome) return std::unexpected(outcome.error());
  return Evaluated(session, *std::move(outcome), id ? std::optional(*id) : std::nullopt);
}

}  // namespace vyre::trial
