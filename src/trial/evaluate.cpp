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
  if (!verdict) return Unexpected(error);
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
  const auto likely = likely_contents(candidate);
  auto output = session.run(id, likely);
  if (!output) return Unexpected(output.error());
  auto fault = find_fault(candidate, *output);
  if (!fault) return fault;
  session.renew();
  if (!doubtful) return fault;
  output = session.run(id, likely);
  if (!output) return Unexpected(output.error());
  fault = find_fault(candidate, *output);
  if (fault) session.renew();
  return fault;
}

measure::Sample sample_of(const device::Timing& timing, std::uint32_t launches) {
  const auto each = [&](std::uint64_t ns) { return static_cast<double>(ns) / launches; };
  return {each(timing.wall_ns), each(timing.device_ns), each(timing.cpu_ns), launches};
}

Result<measure::Sample> take_sample(worker::Session& session, worker::KernelId id,
                                    std::uint32_t launches) {
  VYRE_TRY(const auto timing, session.time(id, launches));
  return sample_of(timing, launches);
}

// What Oclgrind finds in it, if it is asked; empty if nothing. What its compiler refuses, or it is
// too slow for, the device itself may well run.
Result<std::string> simulated(const Candidate& candidate, const EvaluateOptions& options,
                              Clock& clock, Costs& costs) {
  constexpr std::size_t longest = 2000;
  if (options.oclgrind.empty()) return "";
  auto simulation = timed(clock, costs.verify, [&] {
    return run_under_oclgrind(candidate.kernel, options.oclgrind, options.oclgrind_worker);
  });
  if (!simulation) return Unexpected(simulation.error());
  return simulation->log.substr(0, longest);
}

// A kernel that is built, verified.
Result<Outcome> outcome_of(worker::Session& session, worker::KernelId id,
                           const Candidate& candidate, Clock& clock, Costs costs) {
  const auto fault = timed(clock, costs.verify, [&] { return verified(session, id, candidate); });
  if (!fault) return failed(fault.error(), costs);
  if (!*fault) return Outcome{.costs = costs};
  return Outcome{.verdict = (*fault)->verdict, .reason = (*fault)->reason, .costs = costs};
}

}  // namespace

measure::Basis basis_for(const device::Adapter& adapter) {
  return adapter.is_cpu ? measure::Basis::cpu : measure::Basis::device;
}

Evaluated::Evaluated(worker::Session& session, std::string name, Outcome outcome,
                     std::optional<worker::KernelId> kernel)
    : session_(&session), name_(std::move(name)), outcome_(std::move(outcome)), kernel_(kernel) {}

Evaluated::Evaluated(Evaluated&& other) noexcept
    : session_(other.session_),
      name_(std::move(other.name_)),
      outcome_(std::move(other.outcome_)),
      kernel_(std::exchange(other.kernel_, std::nullopt)) {}

Evaluated& Evaluated::operator=(Evaluated&& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(name_, other.name_);
  std::swap(outcome_, other.outcome_);
  std::swap(kernel_, other.kernel_);
  return *this;
}

Evaluated::~Evaluated() {
  if (kernel_) session_->forget(*kernel_);
}

Result<void> Evaluated::measure(const EvaluateOptions& options, Clock& clock) {
  if (outcome_.verdict != Verdict::correct || !kernel_) return {};
  // Its worker may have been lost since: what it takes to build it again is no time of the kernel.
  if (!session_->is_warm(*kernel_)) {
    const auto warm = timed(clock, outcome_.costs.build, [&] { return sample(1); });
    if (!warm) return fail_with(warm.error());
  }
  measure::RepeatOptions repeat = options.repeat;
  repeat.basis = options.basis.value_or(basis_for(session_->adapter()));
  outcome_.timed.from = clock.now();
  auto measured =
      measure::repeat([&](std::uint32_t launches) { return sample(launches); }, clock, repeat);
  outcome_.timed.to = clock.now();
  outcome_.costs.measure = outcome_.timed.to - outcome_.timed.from;
  if (!measured) return fail_with(measured.error());
  outcome_.measured = *std::move(measured);
  return {};
}

void Evaluated::take(const device::Timing& launch, const EvaluateOptions& options) {
  const measure::Sample sample = sample_of(launch, 1);
  const auto basis = options.basis.value_or(basis_for(session_->adapter()));
  const double time = measure::value(sample, basis);
  outcome_.measured = measure::Measurement{.basis = basis,
                                           .warm_up = {},
                                           .samples = {sample},
                                           .estimate_ns = time,
                                           .interval = {time, time},
                                           .stop = measure::Stop::budget,
                                           .drift = {}};
}

Result<void> Evaluated::fail_with(const Error& error) {
  const auto verdict = verdict_of(error);
  if (!verdict) return Unexpected(error);
  outcome_.verdict = *verdict;
  outcome_.reason = error.message;
  return {};
}

Result<measure::Sample> Evaluated::sample(std::uint32_t launches) {
  if (!kernel_) return fail(ErrorKind::input, "a candidate that failed has no more samples");
  return take_sample(*session_, *kernel_, launches);
}

Result<Evaluated> prepare(worker::Session& session, const Candidate& candidate,
                          const EvaluateOptions& options, Clock& clock) {
  if (auto sane = check_expected(candidate); !sane) return Unexpected(sane.error());
  const auto began = clock.now();
  const auto made = [&](Outcome outcome, std::optional<worker::KernelId> kernel = {}) {
    outcome.prepared = {began, clock.now()};
    return Evaluated(session, candidate.name, std::move(outcome), kernel);
  };
  Costs costs;
  const auto found = simulated(candidate, options, clock, costs);
  if (!found) return Unexpected(found.error());
  if (!found->empty()) {
    return made(
        {.verdict = Verdict::runtime, .reason = "Oclgrind found:\n" + *found, .costs = costs});
  }
  const auto id = timed(clock, costs.build, [&] { return session.build(candidate.kernel); });
  auto outcome = id ? outcome_of(session, *id, candidate, clock, costs) : failed(id.error(), costs);
  if (!outcome) return Unexpected(outcome.error());
  return made(*std::move(outcome), id ? std::optional(*id) : std::nullopt);
}

Result<Evaluated> evaluate(worker::Session& session, const Candidate& candidate,
                           const EvaluateOptions& options, Clock& clock) {
  auto prepared = prepare(session, candidate, options, clock);
  if (!prepared) return prepared;
  if (auto done = prepared->measure(options, clock); !done) return Unexpected(done.error());
  return prepared;
}

}  // namespace vyre::trial
