#include "tune/tuned_state.h"

#include <fmt/format.h>

#include "run/sizes.h"
#include "schedule/workgroup.h"
#include "tune/sweep_family.h"
#include "vyre/schedule/schedule_space.h"

namespace vyre::tune {
namespace {

double speedup_of(const std::optional<store::Baseline>& baseline) {
  return baseline ? baseline->speedup.value : 1;
}

double speedup_of(const store::Decision& decision) {
  return decision.evidence ? speedup_of(decision.evidence->baseline) : 1;
}

Origin origin_of(store::Match match) {
  switch (match) {
    case store::Match::exact:
      return Origin::exact;
    case store::Match::nearest_size:
      return Origin::nearest_size;
    case store::Match::other_adapter:
      return Origin::other_adapter;
    case store::Match::nothing:
      return Origin::original;
  }
  return Origin::original;
}

}  // namespace

Tuned::State::State(device::Device& device, Family family, ir::Uniforms uniforms,
                    TunedOptions options, const store::Dispatch& dispatch)
    : device_(device),
      family_(std::move(family)),
      uniforms_(std::move(uniforms)),
      options_(std::move(options)),
      dispatch_(dispatch) {
  status_.member = family_.original;
  status_.configuration = configuration_text(family_, family_.original);
}

Result<void> Tuned::State::set(std::string_view uniform, Literal value) {
  const std::lock_guard guard(mutex_);
  if (!executable_) {
    if (auto loaded = load(family_.original); !loaded) return loaded;
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
Result<void> Tuned::State::first_dispatch(std::span<device::Buffer* const> buffers) {
  if (auto decided = decide(buffers); !decided) return decided;
  count(Count::dispatches);
  const auto launched = executable_->launch(buffers);
  if (launched || loaded_ == family_.original) return launched;
  say(fmt::format("{} cannot be launched and {} runs as it is: {}", status_.configuration,
                  family_.name, launched.error().message));
  if (auto loaded = load(family_.original); !loaded) return loaded;
  settle(Origin::original, 1);
  auto again = executable_->launch(buffers);
  if (!again) settle(Origin::undecided, 1);
  return again;
}

Result<void> Tuned::State::decide(std::span<device::Buffer* const> buffers) {
  problem_.clear();
  const store::Found found = look_up();
  const bool certain = found.match == store::Match::exact && !found.other_driver;
  if (found.decision && (certain || options_.mode == Mode::stored) && adopt(found)) return {};
  if (auto loaded = load(family_.original); !loaded) return loaded;
  if (auto fit = executable_->check(buffers); !fit) return fit;
  settle(Origin::original, 1);
  if (options_.mode != Mode::stored) tune(buffers, found);
  return {};
}

store::Found Tuned::State::look_up() {
  if (options_.store == nullptr) return {};
  store::Found found = options_.store->lookup(dispatch_);
  count(count_of(found.match));
  return found;
}

bool Tuned::State::adopt(const store::Found& found) {
  const auto loaded = load(*found.decision);
  if (loaded) {
    settle(origin_of(found.match), speedup_of(*found.decision));
    return true;
  }
  say(fmt::format("the stored decision ({}) is not used: {}", to_string(found.match),
                  loaded.error().message));
  return false;
}

void Tuned::State::tune(std::span<device::Buffer* const> buffers, const store::Found& found) {
  const auto choice = choose(buffers, found);
  const auto loaded = choice ? load(choice->member) : std::unexpected(choice.error());
  if (!loaded) {
    count_failure(loaded.error());
    say(fmt::format("{} could not be tuned and runs as it is: {}", family_.name,
                    loaded.error().message));
    return;
  }
  count(Count::tunings);
  settle(Origin::tuned, speedup_of(choice->baseline));
  record(*choice);
}

Result<Choice> Tuned::State::choose(std::span<device::Buffer* const> buffers,
                                    const store::Found& found) {
  const auto workload = read(buffers);
  if (!workload) return std::unexpected(workload.error());
  auto session = worker::Session::start(options_.worker);
  if (!session) return std::unexpected(session.error());
  return options_.mode == Mode::sweep ? sweep(*session, *workload)
                                      : search(*session, *workload, found);
}

Result<Choice> Tuned::State::search(worker::Session& session, const Workload& workload,
                                    const store::Found& found) {
  TuneOptions options = options_.tune;
  if (found.decision) {
    const auto guess = member_of(family_, *found.decision);
    if (guess) options.first.insert(options.first.begin(), *guess);
  }
  const auto tuning = tune::tune(session, family_, workload, options);
  if (!tuning) return std::unexpected(tuning.error());
  count(tuning->attempts);
  return choice_of(*tuning, options.strategy);
}

Result<Choice> Tuned::State::sweep(worker::Session& session, const Workload& workload) {
  auto swept = sweep_family(session, family_, workload, options_.tune);
  if (!swept) return std::unexpected(swept.error());
  count(swept->attempts);
  return std::move(swept->choice);
}

// What is only written need not be read.
Result<Workload> Tuned::State::read(std::span<device::Buffer* const> buffers) {
  const auto original = family_.member(family_.original);
  if (!original) return std::unexpected(original.error());
  const auto declared = run::global_buffers(*original);
  Workload workload{.uniforms = uniforms_, .buffers = {}};
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::vector<std::byte> content(buffers[i]->bytes());
    if (declared[i].access != Access::write) {
      if (auto done = device_.read(content, *buffers[i]); !done) {
        return std::unexpected(done.error());
      }
    }
    workload.buffers.push_back(worker::data(std::move(content)));
  }
  return workload;
}

void Tuned::State::record(const Choice& choice) {
  if (options_.store == nullptr) return;
  auto decision = decision_of(family_, dispatch_, choice);
  const auto saved =
      decision ? options_.store->record(*std::move(decision)) : std::unexpected(decision.error());
  if (!saved) return say("the decision is not saved: " + saved.error().message);
  for (const std::string& note : store::notes(*saved)) say(note);
}

Result<void> Tuned::State::load(const store::Decision& decision) {
  const auto member = member_of(family_, decision);
  if (member) return load(*member);
  // The short form is a workgroup, whether or not the family has it.
  return decision.evidence ? std::unexpected(member.error())
                           : load_with_workgroup(decision.workgroup);
}

Result<void> Tuned::State::load(space::Index member) {
  if (loaded_ == member) return {};
  auto program = family_.member(member);
  if (!program) return std::unexpected(program.error());
  if (auto done = load_program(*std::move(program)); !done) return done;
  loaded_ = member;
  status_.member = member;
  status_.configuration = configuration_text(family_, member);
  return {};
}

Result<void> Tuned::State::load_with_workgroup(const Extent& workgroup) {
  const auto original = family_.member(family_.original);
  if (!original) return std::unexpected(original.error());
  auto program = schedule::with_workgroup(*original, workgroup);
  if (!program) return std::unexpected(program.error());
  if (auto done = load_program(*std::move(program)); !done) return done;
  loaded_.reset();
  status_.member = family_.original;
  status_.configuration = schedule::workgroup_text(workgroup);
  return {};
}

Result<void> Tuned::State::load_program(ir::Program program) {
  auto executable = run::compile(device_, {std::move(program), uniforms_});
  if (!executable) return std::unexpected(executable.error());
  executable_ = *std::move(executable);
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

void Tuned::State::count_failure(const Error& error) {
  const auto verdict = trial::verdict_of(error);
  const auto what = verdict ? count_of(*verdict) : std::nullopt;
  count(what.value_or(Count::runtime_failures));
}

void Tuned::State::count(std::span<const Attempt> attempts) {
  if (options_.counters != nullptr) tune::count(attempts, *options_.counters);
}

}  // namespace vyre::tune
