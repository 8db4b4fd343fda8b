#include "tune/tuned_state.h"

#include <fmt/format.h>

#include <utility>

#include "schedule/schedule_space.h"
#include "tune/remember.h"

namespace vyre::tune {
namespace {

// For somebody who waits: short measurements, a short race, and little of the interpreter.
LoopOptions loop_options(const TuneOptions& tune) {
  using namespace std::chrono_literals;
  LoopOptions options{.tune = tune, .finalists = 2, .reference = {.steps = few_interpreted_steps}};
  options.evaluate.repeat.budget = 100ms;
  options.race.max_rounds = 20;
  options.race.budget = 2s;
  return options;
}

TuneProgress progress_of(const Progress& progress) {
  TuneProgress out{.evaluated = progress.evaluated,
                   .evaluations = progress.evaluations,
                   .elapsed = progress.elapsed,
                   .left = progress.left};
  out.failed = progress.evaluated - progress.verdicts[static_cast<std::size_t>(Verdict::correct)];
  if (progress.best != nullptr) {
    out.speedup = progress.baseline->outcome.measured->estimate_ns /
                  progress.best->outcome.measured->estimate_ns;
  }
  return out;
}

Watch watch_for(const TuneRequest& request) {
  if (!request.watch) return {};
  return [&request](const Progress& progress) {
    TuneProgress seen = progress_of(progress);
    request.watch(seen);
    return !seen.stop;
  };
}

double speedup_of(const Decided& decided) {
  if (!decided.decision || !decided.decision->evidence) return 1;
  const auto& baseline = decided.decision->evidence->baseline;
  return baseline ? baseline->speedup.value : 1;
}

}  // namespace

Tuned::State::State(device::Device& device, Family family, ir::Uniforms uniforms,
                    TunedOptions options)
    : device_(device),
      family_(std::move(family)),
      uniforms_(std::move(uniforms)),
      options_(std::move(options)) {
  options_.worker.device = device.adapter().id();
  status_.configuration = configuration_text(family_, usual_member());
}

Result<void> Tuned::State::set(std::string_view uniform, Literal value) {
  const std::lock_guard guard(mutex_);
  if (!executable_) {
    if (auto loaded = load_member(usual_member()); !loaded) return loaded;
  }
  if (auto done = executable_->set(uniform, value); !done) return done;
  uniforms_[std::string(uniform)] = value;
  return {};
}

Status Tuned::State::status() {
  const std::lock_guard guard(mutex_);
  return status_;
}

std::string Tuned::State::problem() {
  const std::lock_guard guard(mutex_);
  return problem_;
}

// A decision may ask for more than the device can give the kernel; only a launch shows that.
template <class Launch>
std::invoke_result_t<Launch> Tuned::State::first_dispatch(std::span<device::Buffer* const> buffers,
                                                          const Launch& launch) {
  VYRE_CHECK(prepare(buffers, usual()));
  count(Count::dispatches);
  auto launched = launch();
  if (launched || loaded_ == usual_member()) return launched;
  say(fmt::format("{} cannot be launched and {} runs as it is: {}", status_.configuration,
                  family_.name, launched.error().message));
  VYRE_CHECK(load_member(usual_member()));
  settle(Origin::original, 1);
  auto again = launch();
  if (!again) settle(Origin::undecided, 1);
  return again;
}

Result<void> Tuned::State::first_launch(std::span<device::Buffer* const> buffers) {
  return first_dispatch(buffers, [&] { return executable_->launch(buffers); });
}

// What cannot run is known when it has run.
Result<device::Event> Tuned::State::first_enqueue(device::Queue& queue,
                                                  std::span<device::Buffer* const> buffers) {
  VYRE_CHECK(queue.finish());
  return first_dispatch(buffers, [&]() -> Result<device::Event> {
    auto event = executable_->enqueue(queue, buffers);
    if (event) VYRE_CHECK(event->wait());
    return event;
  });
}

Result<run::Executable> Tuned::State::bound(device::Queue& queue,
                                            std::span<device::Buffer* const> buffers) {
  const std::lock_guard guard(mutex_);
  if (status_.origin == Origin::undecided) {
    VYRE_CHECK(queue.finish());
    VYRE_CHECK(prepare(buffers, usual()));
  }
  return executable_->bound(buffers);
}

Result<void> Tuned::State::tune(device::Queue& queue, std::span<device::Buffer* const> buffers,
                                const TuneRequest& request) {
  const std::lock_guard guard(mutex_);
  VYRE_CHECK(queue.finish());
  DecideOptions how = usual();
  how.mode = Mode::natural;
  how.again = request.again;
  how.needs_evidence = true;
  how.loop = {};
  how.loop.tune = {.seed = request.seed,
                   .evaluations = request.evaluations,
                   .time = request.budget,
                   .workers = options_.tune.workers};
  how.watch = watch_for(request);
  return prepare(buffers, how);
}

DecideOptions Tuned::State::usual() const {
  return {.mode = options_.mode,
          .store = options_.store,
          .counters = options_.counters,
          .loop = loop_options(options_.tune),
          .watch = {}};
}

Result<void> Tuned::State::prepare(std::span<device::Buffer* const> buffers,
                                   const DecideOptions& how) {
  problem_.clear();
  // Twice, if what the store says cannot be loaded.
  for (const bool again : {false, true}) {
    DecideOptions options = how;
    options.again |= again;
    auto decided = decide(buffers, options);
    if (!decided) {
      // What is wrong with the buffers is the caller's to know, and no reason not to tune later.
      if (auto fit = executable_ ? executable_->check(buffers) : Result<void>{}; !fit) return fit;
      say(fmt::format("{} could not be tuned and runs as it is: {}", family_.name,
                      decided.error().message));
      break;
    }
    for (const std::string& note : decided->notes) say(note);
    if (adopt(*decided)) return {};
    if (!searches(how.mode) || decided->tuning) break;
  }
  if (auto loaded = load_member(usual_member()); !loaded) return loaded;
  if (auto fit = executable_->check(buffers); !fit) return fit;
  settle(Origin::original, 1);
  return {};
}

Result<Decided> Tuned::State::decide(std::span<device::Buffer* const> buffers,
                                     const DecideOptions& how) {
  std::optional<trial::Evaluator> evaluator;
  const Bench bench{.evaluator = [&]() -> Result<trial::Evaluator*> {
                      auto made = trial::Evaluator::start(options_.worker, how.loop.tune.workers);
                      if (!made) return Unexpected(made.error());
                      return &evaluator.emplace(*std::move(made));
                    },
                    .workload = [&]() -> Result<Workload> { return read(buffers); },
                    .accept = [&](space::Index winner) { return load_member(winner); }};
  return tune::decide(family_, bench, how);
}

bool Tuned::State::adopt(const Decided& decided) {
  const auto loaded = load(decided);
  if (loaded) {
    settle(decided.origin, speedup_of(decided));
    return true;
  }
  say(fmt::format("{} ({}) is not used: {}", configuration_text(family_, decided.member),
                  to_string(decided.origin), loaded.error().message));
  return false;
}

// What is only written need not be read. Nothing is read before it is known that the buffers fit.
Result<Workload> Tuned::State::read(std::span<device::Buffer* const> buffers) {
  if (auto loaded = load_member(usual_member()); !loaded) return Unexpected(loaded.error());
  if (auto fit = executable_->check(buffers); !fit) return Unexpected(fit.error());
  const auto accesses = family_.members->accesses();
  Workload workload{.uniforms = uniforms_, .buffers = {}};
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::vector<std::byte> content(buffers[i]->bytes());
    if (accesses[i] != Access::write) {
      if (auto done = device_.read(content, *buffers[i]); !done) {
        return Unexpected(done.error());
      }
    }
    workload.buffers.push_back(worker::data(std::move(content)));
  }
  return workload;
}

Result<void> Tuned::State::load(const Decided& decided) {
  const bool short_form = decided.decision && !decided.decision->evidence;
  if (short_form && !member_of(family_, *decided.decision)) {
    return load_workgroup(decided.decision->workgroup);
  }
  return load_member(decided.origin == Origin::original ? usual_member() : decided.member);
}

Result<void> Tuned::State::load_member(space::Index member) {
  if (loaded_ == member) return {};
  auto executable = family_.members->load(device_, member, uniforms_);
  if (!executable) return Unexpected(executable.error());
  executable_ = *std::move(executable);
  loaded_ = member;
  status_.configuration = configuration_text(family_, member);
  return {};
}

Result<void> Tuned::State::load_workgroup(const Extent& workgroup) {
  auto executable = family_.members->load(device_, workgroup, uniforms_);
  if (!executable) return Unexpected(executable.error());
  executable_ = *std::move(executable);
  loaded_.reset();
  status_.configuration = schedule::workgroup_text(workgroup);
  return {};
}

void Tuned::State::settle(Origin origin, double speedup) {
  status_.origin = origin;
  status_.speedup = speedup;
}

void Tuned::State::say(std::string_view problem) {
  if (!problem_.empty()) problem_ += '\n';
  problem_ += problem;
}

}  // namespace vyre::tune
