#include "tune/live_search.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <system_error>
#include <utility>

#include "base/memory.h"
#include "tune/live_budget.h"
#include "tune/start.h"

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 500ms;
constexpr auto idle = 50ms;
// What is slower than the best by more, where it was tried, is not tried among real dispatches.
constexpr double near_the_best = 1.1;
// A worker's limits, in CPU time: what takes longer is not worth what it costs others.
constexpr auto build_limit = 4s;
constexpr auto shortest_run_limit = 500ms;
constexpr int launches_in_limit = 50;

// CPU time of a first member, with a worker to be started and without; it is an estimate.
constexpr auto first_member_cost = 600ms;
constexpr auto member_cost = 300ms;
// What compiling what computes a matrix may take.
constexpr auto matrix_cost = 5s;

double cores() { return static_cast<double>(std::max(1U, std::thread::hardware_concurrency())); }

std::chrono::nanoseconds thread_cpu_time() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

ArmEstimate estimate_of(const Attempt& attempt) {
  const measure::Measurement& measured = *attempt.outcome.measured;
  return {.ns = measured.estimate_ns,
          .samples = measured.samples.size(),
          .interval = measured.interval};
}

}  // namespace

LiveSearch::LiveSearch(device::Device& device, LiveSearchOptions options)
    : device_(device), options_(std::move(options)), matrix_(live_matrix(device)) {
  options_.worker.device = device.adapter().id();
  options_.worker.niceness = niceness_for(options_.share, cores());
  options_.worker.cancelled = stop_;
  options_.worker.limits_cpu_time = true;
  options_.worker.build_limit =
      std::min<std::chrono::milliseconds>(options_.worker.build_limit, build_limit);
}

LiveSearch::~LiveSearch() {
  {
    const std::lock_guard guard(mutex_);
    *stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Result<void> LiveSearch::add(std::shared_ptr<Live> live) {
  const std::lock_guard guard(mutex_);
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error& failed) {
      return fail(ErrorKind::limit,
                  fmt::format("it is not tuned: no thread can be started: {}", failed.what()));
    }
  }
  added_.push_back(std::move(live));
  changed_.notify_all();
  return {};
}

void LiveSearch::run() {
  // This thread's alone: Linux has a niceness for each.
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()),
                    niceness_for(options_.share, cores()));
  do {
    const auto done = within_memory([&]() -> Result<void> {
      care();
      look();
      if (const auto live = next_to_search()) search(*live);
      return {};
    });
    (void)done;  // short of memory: kernels stay as they are, and the next one may do better
  } while (pause(idle));
  evaluator_.reset();
}

bool LiveSearch::pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [&] { return stop_->load(); });
  return !*stop_;
}

void LiveSearch::welcome() {
  std::vector<std::shared_ptr<Live>> added;
  {
    const std::lock_guard guard(mutex_);
    added = std::exchange(added_, {});
  }
  for (auto& live : added) {
    const double gain = expected_gain(live->family(), options_.store);
    kernels_.push_back({.live = std::move(live), .gain = gain});
  }
}

void LiveSearch::care() {
  welcome();
  std::erase_if(kernels_, [](const Kernel& kernel) { return kernel.live->is_closed(); });
  for (const Kernel& kernel : kernels_) {
    remember(*kernel.live);
    if (may_spend_on(*kernel.live, matrix_cost)) kernel.live->compute_matrix(matrix_);
  }
}

// One that was not dispatched since the last time is left alone.
void LiveSearch::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return;
  next_look_ = now + look_every;
  for (Kernel& kernel : kernels_) {
    const std::uint64_t launches = kernel.live->launches();
    if (launches != std::exchange(kernel.seen, launches)) kernel.live->look();
  }
}

void LiveSearch::remember(Live& live) {
  if (options_.store == nullptr) return;
  const auto decision = live.new_decision();
  if (!decision || !*decision) return;
  store::Decision dated = **decision;
  dated.evidence->date = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  (void)options_.store->record(dated);
}

std::optional<LiveSpending> LiveSearch::spending_on(Live& live) {
  const auto original = live.original_time();
  if (!original) return {};
  LiveSpending so_far{.elapsed = steady_clock().now() - live.began(),
                      .original = *original,
                      .gained = {},
                      .spent = thread_cpu_time() + ended_evaluators_,
                      .cores = cores()};
  for (const Kernel& one : kernels_) so_far.gained += one.live->gained();
  if (evaluator_) so_far.spent += evaluator_->cpu_time();
  return so_far;
}

bool LiveSearch::may_spend_on(Live& live, std::chrono::nanoseconds more) {
  auto so_far = spending_on(live);
  if (!so_far) return false;
  so_far->spent += more;
  return may_spend(*so_far, options_.share);
}

bool LiveSearch::may_begin_with(const Kernel& kernel) {
  const auto so_far = spending_on(*kernel.live);
  const auto cost = evaluator_ ? member_cost : first_member_cost;
  return so_far && may_begin(*so_far, options_.share, cost, kernel.gain);
}

// The one that has taken the most time so far.
std::shared_ptr<Live> LiveSearch::next_to_search() {
  std::shared_ptr<Live> best;
  std::chrono::nanoseconds most{-1};
  for (const Kernel& kernel : kernels_) {
    Live& live = *kernel.live;
    const auto original = live.original_time();
    if (live.is_searched() || !original || !may_begin_with(kernel)) continue;
    const auto taken = *original * static_cast<std::int64_t>(live.launches());
    if (taken > most) {
      most = taken;
      best = kernel.live;
    }
  }
  return best;
}

void LiveSearch::search(Live& live) {
  const auto found = find_members(live);
  live.end_search(found ? "" : found.error().message);
}

std::optional<Live::Copies> LiveSearch::copies_of(Live& live, Result<void>& problem) {
  live.ask_for_copies();
  for (auto patience = 1ms; !live.is_closed(); patience = std::min(2 * patience, idle)) {
    if (auto copies = live.take_copies()) {
      if (!*copies) {
        problem = Unexpected(copies->error());
        return {};
      }
      problem = (*copies)->made.wait();
      if (!problem) return {};
      return **std::move(copies);
    }
    care();
    if (!pause(patience)) return {};
  }
  return {};
}

Result<Workload> LiveSearch::workload_of(const Live& live, const Live::Copies& copies) {
  if (!queue_) {
    VYRE_TRY(queue_, device_.make_queue({}));
  }
  Workload workload{.uniforms = copies.uniforms, .buffers = {}};
  const auto accesses = live.family().members->accesses();
  for (std::size_t i = 0; i < copies.inputs.size(); ++i) {
    std::vector<std::byte> content(copies.inputs[i]->bytes());
    if (accesses[i] != Access::write) VYRE_CHECK(read(content, *copies.inputs[i]));
    workload.buffers.push_back(worker::data(std::move(content)));
  }
  return workload;
}

Result<void> LiveSearch::read(std::span<std::byte> to, device::Buffer& from) {
  return queue_->read(to, {&from, 0, from.bytes()});
}

// What the kernel as it is left there, in the program that uses it.
Result<std::vector<trial::Expected>> LiveSearch::expected_of(const Live& live,
                                                             const Live::Copies& copies) {
  worker::Output output;
  for (const auto& result : copies.results) {
    worker::Content& content = output.buffers.emplace_back();
    if (!result) continue;
    content.bytes.resize(result->bytes());
    VYRE_CHECK(read(content.bytes, *result));
  }
  return live.family().members->expected(std::move(output));
}

Result<trial::Evaluator*> LiveSearch::evaluator_for(Live& live) {
  const auto original = live.original_time().value_or(0ns);
  const auto limit = std::max<std::chrono::milliseconds>(
      shortest_run_limit,
      std::chrono::ceil<std::chrono::milliseconds>(original * launches_in_limit));
  if (evaluator_ && limit <= run_limit_) return &*evaluator_;
  if (evaluator_) ended_evaluators_ += evaluator_->cpu_time();
  evaluator_.reset();
  worker::Options options = options_.worker;
  options.run_limit = std::min(options.run_limit, limit);
  VYRE_TRY(auto made, trial::Evaluator::start(options, 1));
  run_limit_ = limit;
  return &evaluator_.emplace(std::move(made));
}

Result<void> LiveSearch::find_members(Live& live) {
  if (live.family().space.size() == 1) return {};
  Result<void> problem;
  const auto copies = copies_of(live, problem);
  if (!copies) return problem;
  VYRE_TRY(const Workload workload, workload_of(live, *copies));
  VYRE_TRY(trial::Evaluator* const evaluator, evaluator_for(live));
  count(Count::tunings);
  LoopOptions loop;
  loop.tune.seed = options_.seed;
  loop.tune.evaluations = options_.evaluations;
  loop.tune.time = std::chrono::hours(24);
  loop.tune.workers = 1;
  loop.finalists = 0;
  loop.first = {live.starts().begin(), live.starts().end()};
  loop.promising = promising_members(live.family(), options_.store);
  VYRE_TRY(loop.expected, expected_of(live, *copies));
  if (!live.has_times()) loop.first.insert(loop.first.begin(), live.family().baseline);
  loop.evaluate.repeat.budget = 40ms;
  loop.evaluate.basis = {};  // wall time says little beside a busy program
  const auto tuning =
      tune(*evaluator, live.family(), workload, loop,
           [&](const Progress& progress) { return after_attempt(live, *copies, progress); });
  if (*stop_ || live.is_closed()) return {};
  if (!tuning) return Unexpected(tuning.error());
  return {};
}

bool LiveSearch::after_attempt(Live& live, const Live::Copies& copies, const Progress& progress) {
  const Attempt& attempt = *progress.latest;
  count(Count::evaluations);
  const bool correct = attempt.outcome.verdict == Verdict::correct;
  if (const auto failed = count_of(attempt.outcome.verdict)) count(*failed);
  const auto time_of = [](const Attempt& one) { return one.outcome.measured->estimate_ns; };
  if (attempt.index != live.family().baseline) {
    live.tried(!correct);
  } else if (correct) {
    live.tried_original(estimate_of(attempt));
  }
  const bool original = attempt.index == live.family().usual.value_or(live.family().baseline);
  if (correct && !original && progress.best != nullptr &&
      time_of(attempt) <= near_the_best * time_of(*progress.best)) {
    try_here(live, copies, attempt);
  }
  return wait_until_affordable(live);
}

// It was right in the worker. Run once here too, on the copies: what a driver compiles at the first
// launch must not be waited for by a dispatch.
void LiveSearch::try_here(Live& live, const Live::Copies& copies, const Attempt& attempt) {
  const auto done = [&]() -> Result<void> {
    VYRE_TRY(auto executable, live.family().members->load(device_, attempt.index, copies.uniforms));
    std::vector<device::Buffer*> buffers;
    for (const auto& buffer : copies.inputs) buffers.push_back(buffer.get());
    VYRE_TRY(const auto event, executable.enqueue(*queue_, buffers));
    VYRE_CHECK(event.wait());
    live.add(attempt.index, std::move(executable), estimate_of(attempt));
    return {};
  }();
  (void)done;  // what cannot run here is not run
}

// While the worker is at rest, times are those of the program alone: the time for a look.
bool LiveSearch::wait_until_affordable(Live& live) {
  do {
    care();
    if (live.is_closed()) return false;
    if (may_spend_on(live) && !live.is_looking()) return !*stop_;
    look();
  } while (pause(20ms));
  return false;
}

}  // namespace vyre::tune
