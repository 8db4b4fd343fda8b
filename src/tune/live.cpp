#include "tune/live.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tune/remember.h"

namespace vyre::tune {
namespace {

constexpr std::size_t plan_length = 16;
// Of the kernel as it is, before anything is compared with it; of one that takes long, few say
// enough.
constexpr std::size_t first_samples = 12;
constexpr std::size_t few_long_samples = 3;
constexpr double long_samples_ns = 30e6;  // all together
// So many launches later those samples are old.
constexpr std::size_t soon = 100;
// A look: the first, from which the others differ or not; a usual one; one that saw something
// strange.
constexpr std::size_t first_look = 40;
constexpr std::size_t short_look = 16;
constexpr std::size_t long_look = 160;
constexpr double strange_by = 0.06;  // in log time, on the average
// Turns may be so many ahead of what is known, and so much work.
constexpr std::size_t most_ahead = 4;
constexpr double most_ahead_ns = 20e6;
// Where times keep changing, a look is taken at every second request, then at every fourth, ...
constexpr std::size_t most_unrest = 5;
// What a launch that is refused takes.
constexpr double never = 1e15;

}  // namespace

Live::Live(Family family, ir::Uniforms uniforms, run::Executable& original,
           std::vector<space::Index> starts, Clock& clock)
    : family_(std::move(family)),
      starts_(std::move(starts)),
      began_(clock.now()),
      uniforms_(std::move(uniforms)) {
  Arm& first = arms_.emplace_back();
  first.member = family_.usual.value_or(family_.baseline);
  first.executable = &original;
}

Result<std::shared_ptr<Live>> Live::make(Family family, ir::Uniforms uniforms,
                                         run::Executable& original, std::string_view policy,
                                         std::vector<space::Index> starts, Clock& clock) {
  std::shared_ptr<Live> live(
      new Live(std::move(family), std::move(uniforms), original, std::move(starts), clock));
  LiveOptions options;
  options.matrix = live->matrix_.source();
  VYRE_TRY(live->policy_, make_live_policy(policy, 0, std::move(options)));
  live->policy_->add();
  return live;
}

void Live::copy_inputs(device::Device& device, device::Queue& queue,
                       std::span<device::Buffer* const> buffers, const ir::Uniforms& own) {
  const std::lock_guard guard(mutex_);
  const auto accesses = family_.members->accesses();
  const auto copied = [&]() -> Result<void> {
    copying_ = {.inputs = {}, .results = {}, .made = {}, .uniforms = uniforms_};
    for (const auto& [name, value] : own) copying_.uniforms.insert_or_assign(name, value);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const bool read = accesses[i] != Access::write;
      VYRE_TRY(auto copy, copy_of(device, queue, *buffers[i], read));
      copying_.inputs.push_back(std::move(copy));
    }
    return {};
  }();
  if (!copied) copies_ = Unexpected(copied.error());
}

void Live::copy_results(device::Device& device, device::Queue& queue,
                        std::span<device::Buffer* const> buffers) {
  const std::lock_guard guard(mutex_);
  if (copies_) return;
  const auto accesses = family_.members->accesses();
  const auto copied = [&]() -> Result<void> {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      auto& copy = copying_.results.emplace_back();
      if (accesses[i] == Access::read) continue;
      VYRE_TRY(copy, copy_of(device, queue, *buffers[i], true));
    }
    return {};
  }();
  if (copied) {
    copies_ = std::move(copying_);
  } else {
    copies_ = Unexpected(copied.error());
  }
}

Result<std::unique_ptr<device::Buffer>> Live::copy_of(device::Device& device, device::Queue& queue,
                                                      device::Buffer& buffer, bool content) {
  VYRE_TRY(auto copy, device.allocate(buffer.bytes()));
  if (content) {
    VYRE_TRY(copying_.made,
             queue.copy({copy.get(), 0, copy->bytes()}, {&buffer, 0, buffer.bytes()}));
  }
  return copy;
}

Live::Turn Live::turn() {
  const std::lock_guard guard(mutex_);
  drain();
  if (std::exchange(asked_, false)) {
    update_news();
    return {.arm = 0, .executable = arms_[0].executable, .timed = false, .copied = true};
  }
  if (phase_ == Phase::turns) settle_if_possible();
  if (phase_ == Phase::looking && looks_ == 0 && under_way_.empty()) end_look();
  const std::size_t arm = phase_ == Phase::turns ? next_arm() : best_arm();
  bool timed = phase_ == Phase::turns && !without_times_;
  if (phase_ == Phase::looking && looks_ > 0) {
    --looks_;
    timed = true;
  }
  return {.arm = arm, .executable = arms_[arm].executable, .timed = timed};
}

void Live::launched(const Turn& turn, std::optional<device::Event> event) {
  count();
  const std::lock_guard guard(mutex_);
  if (!event) {
    arms_[turn.arm].refused = true;
    if (turn.arm != 0) policy_->tell(turn.arm, never);
    return;
  }
  if (turn.timed) under_way_.push_back({turn.arm, *std::move(event)});
}

void Live::do_without_times() {
  const std::lock_guard guard(mutex_);
  without_times_ = true;
}

device::Event Live::far_behind() {
  const std::lock_guard guard(mutex_);
  if (phase_ != Phase::turns || under_way_.size() <= most_ahead) return {};
  const double each = std::max(policy_->estimate(best_arm()).ns, 1.0);
  const auto work = static_cast<std::size_t>(most_ahead_ns / each);
  const std::size_t most = std::max(most_ahead, work);
  return under_way_.size() > most ? under_way_.front().event.share() : device::Event();
}

run::Executable* Live::best() {
  const std::lock_guard guard(mutex_);
  return arms_[best_arm()].executable;
}

space::Index Live::best_member() {
  const std::lock_guard guard(mutex_);
  return arms_[best_arm()].member;
}

Result<void> Live::set(std::string_view uniform, Literal value) {
  const std::lock_guard guard(mutex_);
  for (Arm& arm : arms_) {
    if (arm.own) VYRE_CHECK(arm.own->set(uniform, value));
  }
  uniforms_.insert_or_assign(std::string(uniform), value);
  return {};
}

std::optional<std::chrono::nanoseconds> Live::original_time() {
  const std::lock_guard guard(mutex_);
  if (without_times_) return std::chrono::nanoseconds(0);
  if (!knows_original_) return {};
  return std::chrono::nanoseconds(static_cast<std::int64_t>(known_of(0).ns));
}

std::chrono::nanoseconds Live::launch_time() {
  const std::lock_guard guard(mutex_);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(known_of(best_arm()).ns));
}

std::chrono::nanoseconds Live::gained() {
  const std::lock_guard guard(mutex_);
  count_gain();
  return std::chrono::nanoseconds(static_cast<std::int64_t>(gained_ns_));
}

bool Live::is_settled() {
  const std::lock_guard guard(mutex_);
  return phase_ != Phase::turns;
}

bool Live::is_looking() {
  const std::lock_guard guard(mutex_);
  return phase_ == Phase::looking;
}

bool Live::has_times() {
  const std::lock_guard guard(mutex_);
  return !without_times_;
}

bool Live::is_searched() {
  const std::lock_guard guard(mutex_);
  return searched_;
}

void Live::time_again() {
  const std::lock_guard guard(mutex_);
  const bool can = phase_ == Phase::resting && arms_.size() == 1 && !without_times_;
  if (!can || launches() < soon) return;
  policy_->restart();
  policy_->complete(knows_original_ = false);
  take_turns();
}

void Live::ask_for_copies() {
  const std::lock_guard guard(mutex_);
  asked_ = true;
  update_news();
}

std::optional<Result<Live::Copies>> Live::take_copies() {
  const std::lock_guard guard(mutex_);
  return std::exchange(copies_, std::nullopt);
}

void Live::add(space::Index member, run::Executable executable, const ArmEstimate& tried) {
  const std::lock_guard guard(mutex_);
  // Uniforms may have been set since it was compiled.
  for (const auto& [name, value] : uniforms_) (void)executable.set(name, value);
  Arm& arm = arms_.emplace_back();
  arm.member = member;
  arm.own = std::move(executable);
  arm.executable = &*arm.own;
  arm.tried = tried;
  policy_->add();
  take_turns();
}

void Live::tried(bool failed) {
  const std::lock_guard guard(mutex_);
  ++tried_;
  if (failed) ++failed_;
}

void Live::tried_original(const ArmEstimate& took) {
  const std::lock_guard guard(mutex_);
  arms_.front().tried = took;
}

void Live::end_search(std::string problem) {
  const std::lock_guard guard(mutex_);
  searched_ = true;
  problem_ = std::move(problem);
}

void Live::look() {
  const std::lock_guard guard(mutex_);
  if (phase_ != Phase::resting || without_times_ || arms_.size() < 2) return;
  if (++passed_over_ < (std::size_t{1} << unrest_)) return;
  passed_over_ = 0;
  begin_look(short_look);
}

void Live::begin_look(std::size_t dispatches) {
  count_gain();
  phase_ = Phase::looking;
  looks_ = dispatches;
  looked_ = 0;
  sum_ = 0;
  update_news();
}

void Live::drain() {
  using State = device::Event::State;
  while (!under_way_.empty()) {
    Timed& oldest = under_way_.front();
    const State state = oldest.event.state();
    if (state == State::under_way) return;
    const auto ns = oldest.event.elapsed_ns();
    if (ns && *ns > 0) tell(oldest.arm, static_cast<double>(*ns));
    under_way_.pop_front();
  }
}

void Live::tell(std::size_t arm, double ns) {
  if (phase_ == Phase::turns) {
    const std::size_t best = policy_->best();
    policy_->tell(arm, ns);
    knows_original_ = knows_original_ || has_enough_of_original();
    if (knows_original_) policy_->complete(true);
    // The rest of the plan is for one that is slower.
    if (policy_->best() != best) planned_ = plan_.size();
  } else if (arm == best_arm()) {
    tell_detector(ns);
  }
}

// A change that lasts is found by the detector; a look that saw something strange goes on until
// that is clear.
void Live::tell_detector(double ns) {
  const bool changed = detector_.tell(ns);
  ++looked_;
  sum_ += std::log(ns);
  if (changed) {
    for (std::size_t i = 0; i < arms_.size(); ++i) arms_[i].before = known_of(i);
    policy_->restart();
    ++restarts_;
    unrest_ = std::min(unrest_ + 1, most_unrest);
    take_turns();
  }
}

// When all that it timed is known.
void Live::end_look() {
  const double mean = looked_ == 0 ? 0 : sum_ / static_cast<double>(looked_);
  const bool strange = level_ && std::abs(mean - *level_) > strange_by;
  if (strange && looked_ <= short_look) {
    looks_ = long_look;
    return;
  }
  if (level_ && !strange && unrest_ > 0) --unrest_;
  if (!level_ && looked_ > 0) level_ = mean;
  rest();
}

void Live::settle_if_possible() {
  if (without_times_) {
    if (!arms_.empty()) rest();
    return;
  }
  if (!policy_->settled()) return;
  detector_.reset();
  level_.reset();
  begin_look(first_look);
}

void Live::take_turns() {
  count_gain();
  phase_ = Phase::turns;
  planned_ = plan_.size();
  update_news();
}

void Live::rest() {
  count_gain();
  phase_ = Phase::resting;
  update_news();
}

std::size_t Live::next_arm() {
  if (planned_ == plan_.size()) {
    plan_.resize(plan_length);
    policy_->plan(plan_);
    planned_ = 0;
  }
  const std::size_t arm = plan_[planned_++];
  return arms_[arm].refused ? best_arm() : arm;
}

bool Live::has_enough_of_original() const {
  const ArmEstimate original = known_of(0);
  const auto samples = static_cast<double>(original.samples);
  return original.samples >= first_samples ||
         (original.samples >= few_long_samples && samples * original.ns >= long_samples_ns);
}

ArmEstimate Live::known_of(std::size_t arm) const {
  if (without_times_) return arms_[arm].tried;
  const ArmEstimate known = policy_->estimate(arm);
  if (known.samples > 0) return known;
  ArmEstimate old = arms_[arm].before;
  const std::size_t best = policy_->best();
  const double now = policy_->estimate(best).ns;
  if (now <= 0 || arms_[best].before.ns <= 0) return old;
  const double drift = now / arms_[best].before.ns;
  old.ns *= drift;
  old.interval = {old.interval.low * drift, old.interval.high * drift};
  return old;
}

std::size_t Live::best_arm() const {
  if (!without_times_) {
    const std::size_t best = policy_->best();
    return arms_[best].refused ? 0 : best;
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < arms_.size(); ++i) {
    if (!arms_[i].refused && arms_[i].tried.ns < arms_[best].tried.ns) best = i;
  }
  return best;
}

// Launches since the last time ran the best, or took turns: then as the best of what is known.
void Live::count_gain() {
  const std::uint64_t now = launches();
  const ArmEstimate original = known_of(0);
  const ArmEstimate best = known_of(best_arm());
  if (original.samples > 0 && best.samples > 0) {
    gained_ns_ += static_cast<double>(now - counted_) * (original.ns - best.ns);
  }
  counted_ = now;
}

void Live::update_news() {
  news_.store(asked_ || phase_ != Phase::resting, std::memory_order_release);
}

std::optional<Result<store::Decision>> Live::new_decision() {
  const std::lock_guard guard(mutex_);
  const std::size_t best = best_arm();
  // Where all that was tried is slower, the kernel as it is was compared with them all the same.
  const bool compared = arms_.size() > 1 || (searched_ && tried_ > failed_);
  if (phase_ == Phase::turns || !compared || decided_ == best) return {};
  const ArmEstimate chosen = known_of(best);
  const ArmEstimate original = known_of(0);
  const std::size_t least = without_times_ ? 1 : 3;  // the search has samples of many launches
  if (chosen.samples < least || original.samples < least) return {};
  decided_ = best;
  const auto estimate_of = [](const ArmEstimate& arm) {
    return measure::Estimate{
        arm.ns, {std::min(arm.interval.low, arm.ns), std::max(arm.interval.high, arm.ns)}};
  };
  Judgement judgement{.gain = best == 0 ? Gain::none : Gain::faster,
                      .compared = true,
                      .elapsed = estimate_of(chosen),
                      .baseline = store::Baseline{.elapsed = estimate_of(original)},
                      .samples = chosen.samples};
  if (best != 0) {
    const auto& [was, is] = std::pair(judgement.baseline->elapsed, judgement.elapsed);
    judgement.baseline->speedup = {
        was.value / is.value,
        {was.interval.low / is.interval.high, was.interval.high / is.interval.low}};
  }
  return decision_of(family_, arms_[best].member, judgement, "live");
}

LiveStatus Live::status() {
  const std::lock_guard guard(mutex_);
  count_gain();
  LiveStatus status{.settled = phase_ != Phase::turns,
                    .searched = searched_,
                    .arms = {},
                    .best = best_arm(),
                    .dispatches = launches(),
                    .tried = tried_,
                    .failed = failed_,
                    .restarts = restarts_,
                    .gained_s = gained_ns_ / 1e9,
                    .problem = problem_};
  const auto weights = policy_->weights();
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    const ArmEstimate known = known_of(i);
    status.arms.push_back({.configuration = changed_text(family_, arms_[i].member),
                           .weight = status.settled ? (i == status.best ? 1.0 : 0.0) : weights[i],
                           .ns = known.ns,
                           .low = known.interval.low,
                           .high = known.interval.high,
                           .samples = known.samples});
  }
  const ArmEstimate original = known_of(0);
  const ArmEstimate best = known_of(status.best);
  if (original.samples > 0 && best.samples > 0) status.speedup = original.ns / best.ns;
  return status;
}

}  // namespace vyre::tune
