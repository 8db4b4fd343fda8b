#include "tune/live_search.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <numeric>
#include <system_error>
#include <utility>

#include "base/memory.h"
#include "tune/live_budget.h"
#include "tune/start.h"

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 500ms;
constexpr auto see_every = 300ms;
constexpr auto idle = 50ms;
// What is slower than the best by more, where it was tried, is not tried among real dispatches: a
// busy machine makes that differ a lot, and a launch costs less than what was spent on it already.
constexpr double near_the_best = 1.5;
// A worker's limits, in CPU time: what takes longer is not worth what it costs others.
constexpr auto build_limit = 4s;
constexpr auto shortest_run_limit = 500ms;
constexpr int launches_in_limit = 50;

// The promising members are a start; fewer others are spread over the space after them.
constexpr const char* strategy = "natural:start=3";
constexpr const char* strategy_again = "natural:start=1";
// Of so many of them as much is expected as they gained elsewhere.
constexpr std::size_t promising_tries = 3;
// Kernels that are in use take turns: whoever was tried for so much more often gives way.
constexpr std::size_t tries_in_turn = 8;

// Calls that compare members have so long for it without a worker beside them.
constexpr auto longest_turns = 150ms;

// CPU time of a first member, with a worker to be started, without, if it is being compiled, and if
// it is: estimates.
constexpr auto first_member_cost = 600ms;
constexpr auto member_cost = 300ms;
constexpr auto remainder_cost = 450ms;
constexpr auto prepared_cost = 100ms;
// A call that takes longer waits for a compiler.
constexpr auto long_call = 40ms;
// Buffers of what is compiled for it, in all: they are copied some times.
constexpr std::size_t most_prepared_bytes = std::size_t{64} << 20;
// What compiling what computes a matrix may take.
constexpr auto matrix_cost = 5s;

Workload zeros_for(const FirstCall& call) {
  Workload workload{.uniforms = call.uniforms, .buffers = {}};
  for (const std::size_t bytes : call.bytes) {
    workload.buffers.push_back(worker::data(std::vector<std::byte>(bytes)));
  }
  return workload;
}

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
  options_.worker.rests = [this](std::chrono::nanoseconds used) { return rests(used); };
  // Drivers let dispatches wait while they compile in this process: there it must be nothing new.
  options_.worker.own_cache = false;
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
  VYRE_CHECK(start_thread());
  added_.push_back(std::move(live));
  changed_.notify_all();
  return {};
}

LiveSearch::Compiling::Compiling(LiveSearch& search, FirstCall call)
    : search_(search),
      waiting_(std::make_shared<WaitingCall>(std::move(call), std::chrono::steady_clock::now())) {
  const std::lock_guard guard(search_.mutex_);
  if (!search_.first_call_) search_.first_call_ = steady_clock().now();
  (void)search_.start_thread();  // add() says it
  search_.waiting_.push_back(waiting_);
}

LiveSearch::Compiling::~Compiling() {
  const std::lock_guard guard(search_.mutex_);
  waiting_->ended = true;
  std::erase(search_.waiting_, waiting_);
}

Result<void> LiveSearch::start_thread() {
  if (thread_.joinable()) return {};
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& failed) {
    return fail(ErrorKind::limit,
                fmt::format("it is not tuned: no thread can be started: {}", failed.what()));
  }
  return {};
}

void LiveSearch::run() {
  // This thread's alone: Linux has a niceness for each.
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()),
                    niceness_for(options_.share, cores()));
  accounted_ = steady_clock().now();
  do {
    const auto done = within_memory([&]() -> Result<void> {
      searched_ = nullptr;
      preparing_.reset();
      set_working(false);
      prepare();
      set_working(false);
      care();
      look();
      if (Kernel* const kernel = next_to_search()) search(*kernel);
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
  std::optional<std::chrono::nanoseconds> first_call;
  {
    const std::lock_guard guard(mutex_);
    added = std::exchange(added_, {});
    first_call = first_call_;
  }
  for (auto& live : added) {
    const double gain = expected_gain(live->family(), options_.store);
    if (!began_) began_ = first_call.value_or(live->began());
    const std::uint64_t launches = live->launches();
    kernels_.push_back({.live = std::move(live), .gain = gain, .accounted = launches});
  }
}

void LiveSearch::account() {
  std::chrono::nanoseconds work{};
  for (Kernel& kernel : kernels_) {
    const std::uint64_t launches = kernel.live->launches();
    const auto more = launches - std::exchange(kernel.accounted, launches);
    work += kernel.live->launch_time() * static_cast<std::int64_t>(more);
  }
  const auto now = steady_clock().now();
  const auto time = now - std::exchange(accounted_, now);
  if (somebody_waits()) return;  // for a compiler: launches are few
  working_ ? loss_.worked(time, work) : loss_.rested(time, work);
}

void LiveSearch::set_working(bool working) {
  if (working == working_) return;
  account();
  working_ = working;
}

void LiveSearch::care() {
  account();
  welcome();
  forget_closed();
  see();
  for (Kernel& kernel : kernels_) {
    remember(*kernel.live);
    if (may_spend_on(kernel, matrix_cost)) kernel.live->compute_matrix(matrix_);
  }
}

void LiveSearch::see() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_sight_) return;
  next_sight_ = now + see_every;
  for (Kernel& kernel : kernels_) {
    const std::uint64_t launches = kernel.live->launches();
    kernel.in_use = launches != std::exchange(kernel.seen, launches);
  }
}

void LiveSearch::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return;
  next_look_ = now + look_every;
  for (Kernel& kernel : kernels_) {
    if (kernel.in_use) kernel.live->look();
  }
}

void LiveSearch::forget_closed() {
  std::erase_if(kernels_, [&](const Kernel& kernel) {
    if (!kernel.live->is_closed() || &kernel == searched_) return false;
    gained_before_ += kernel.live->gained();
    return true;
  });
}

void LiveSearch::remember(Live& live) {
  if (options_.store == nullptr) return;
  const auto decision = live.new_decision();
  if (!decision || !*decision) return;
  store::Decision dated = **decision;
  dated.evidence->date = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  (void)options_.store->record(dated);
}

std::optional<LiveSpending> LiveSearch::spending_on(const Kernel& kernel) {
  if (!kernel.live->original_time()) return {};
  LiveSpending so_far{.elapsed = steady_clock().now() - *began_,
                      .launch = kernel.live->launch_time(),
                      .calls = kernel.live->launches(),
                      .gained = gained_before_,
                      .spent = thread_cpu_time() + worker_time() - idle_time_,
                      .lost = loss_.lost(),
                      .cores = cores(),
                      .in_vain = kernel.in_vain,
                      .expected_gain = kernel.before.size() < promising_tries ? kernel.gain : 1};
  for (const Kernel& one : kernels_) so_far.gained += one.live->gained();
  return so_far;
}

bool LiveSearch::may_spend_on(const Kernel& kernel, std::chrono::nanoseconds more) {
  auto so_far = spending_on(kernel);
  if (!so_far) return false;
  const std::chrono::duration<double> each = more;
  if (so_far->spent > 0ns) {  // it loses as much as what was spent so far did
    so_far->lost +=
        std::chrono::round<std::chrono::nanoseconds>(so_far->lost * (each / so_far->spent));
  }
  so_far->spent += more;
  return may_spend(*so_far, options_.share);
}

bool LiveSearch::may_begin_with(const Kernel& kernel) {
  return may_spend_on(kernel, cost_of_first(kernel));
}

// What preparing has cost does not keep a search from what is ready.
std::chrono::nanoseconds LiveSearch::cost_of_first(const Kernel& kernel) const {
  const auto prepared = prepared_.find(key_of(kernel.live->family().dispatch));
  if (kernel.before.empty() && prepared != prepared_.end()) {
    return prepared_cost - prepared->second;
  }
  if (preparing_) return remainder_cost;
  return evaluator_ ? member_cost : first_member_cost;
}

// The one in use that fewest were tried for; of those the one that has taken the most time so far.
LiveSearch::Kernel* LiveSearch::next_to_search() {
  Kernel* best = nullptr;
  std::pair<std::size_t, std::int64_t> least;
  for (Kernel& kernel : kernels_) {
    Live& live = *kernel.live;
    if (!kernel.in_use || live.is_searched() || !may_begin_with(kernel)) continue;
    const auto taken = *live.original_time() * static_cast<std::int64_t>(live.launches());
    const std::pair rank(kernel.before.size() / tries_in_turn, -taken.count());
    if (best != nullptr && rank >= least) continue;
    best = &kernel;
    least = rank;
  }
  return best;
}

bool LiveSearch::gives_way(const Kernel& kernel) {
  return std::ranges::any_of(kernels_, [&](const Kernel& other) {
    if (&other == &kernel || !other.in_use || other.live->is_searched()) return false;
    const bool is_tried_less = other.before.size() + tries_in_turn <= kernel.before.size();
    return (is_tried_less || !kernel.in_use) && may_begin_with(other);
  });
}

void LiveSearch::search(Kernel& kernel) {
  searched_ = &kernel;
  const auto found = find_members(kernel);
  if (*stop_ || kernel.live->is_closed()) return;
  if (!found) return kernel.live->end_search(found.error().message);
  if (*found) kernel.live->end_search("");
}

// None also if others are to be searched first: nobody may call this one any more.
std::optional<Live::Copies> LiveSearch::copies_of(Kernel& kernel, Result<void>& problem) {
  Live& live = *kernel.live;
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
    if (gives_way(kernel) || !pause(patience)) return {};
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
                                                             const Live::Copies& copies,
                                                             const Workload& workload) {
  worker::Output output;
  for (const auto& result : copies.results) {
    worker::Content& content = output.buffers.emplace_back();
    if (!result) continue;
    content.bytes.resize(result->bytes());
    VYRE_CHECK(read(content.bytes, *result));
  }
  VYRE_TRY(const auto reference,
           live.family().members->reference(workload, {.steps = few_interpreted_steps}));
  return reference.expected(std::move(output));
}

std::shared_ptr<WaitingCall> LiveSearch::next_to_prepare() {
  const std::lock_guard guard(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const auto found = std::ranges::find_if(waiting_, [&](const auto& waiting) {
    const auto& bytes = waiting->call.bytes;
    const bool small = std::reduce(bytes.begin(), bytes.end()) <= most_prepared_bytes;
    return !waiting->begun && small && now - waiting->since >= long_call;
  });
  if (found == waiting_.end() || !has_idle_core()) return {};
  (*found)->begun = true;
  return *found;
}

bool LiveSearch::has_idle_core() const { return static_cast<double>(waiting_.size()) < cores(); }

void LiveSearch::prepare() {
  const auto waiting = next_to_prepare();
  if (!waiting) return;
  const auto before = worker_time();
  const auto idle_before = idle_time_;
  preparing_ = {.waiting = waiting, .worker_time = before, .free_until = before};
  const FirstCall& call = waiting->call;
  const Workload workload = zeros_for(call);
  std::size_t made = 0;
  for (const space::Index member : first_members(call.family, call.starts)) {
    if (has_ended(*waiting) || *stop_) break;
    const auto done = prepare(call.family, workload, member);
    if (done) ++made;
    if (!evaluator_) break;  // the search will meet it again, and says it
  }
  preparing_->worker_time = evaluator_ ? evaluator_->cpu_time() : before;
  if (!evaluator_) idle_time_ = idle_before;
  if (!has_ended(*waiting)) count_idle();
  if (made > 0) {
    prepared_[key_of(call.family.dispatch)] = preparing_->worker_time - preparing_->free_until;
  }
  preparing_.reset();
}

bool LiveSearch::has_ended(const WaitingCall& waiting) {
  const std::lock_guard guard(mutex_);
  return waiting.ended;
}

bool LiveSearch::somebody_waits() {
  const std::lock_guard guard(mutex_);
  const auto now = std::chrono::steady_clock::now();
  return has_idle_core() && std::ranges::any_of(waiting_, [&](const auto& waiting) {
           return now - waiting->since >= long_call;
         });
}

void LiveSearch::count_idle() {
  const auto now = preparing_->worker_time;
  idle_time_ += now - std::exchange(preparing_->free_until, now);
}

// While a call waits, a core has nothing to do. From its end on the remainder of what was begun
// waits until a search may begin, or the next call waits.
bool LiveSearch::rests(std::chrono::nanoseconds worker_time) {
  if (!preparing_) return false;
  preparing_->worker_time = worker_time;
  if (somebody_waits()) {
    count_idle();
    return false;
  }
  care();
  look();
  if (next_to_search() != nullptr) preparing_->resumed = true;
  set_working(preparing_->resumed);
  return !preparing_->resumed;
}

// Compiled where it will be tried, and run once: drivers compile at the first launch too. What it
// computes of nothing but zeros does not matter.
Result<void> LiveSearch::prepare(const Family& family, const Workload& workload,
                                 space::Index member) {
  VYRE_TRY(trial::Evaluator* const started, evaluator());
  const auto limit = options_.worker.build_limit;
  started->set_limits({.build = limit, .run = limit});
  VYRE_TRY(const auto candidate, family.members->candidate(member, workload, started->language()));
  VYRE_CHECK(started->run(candidate));
  return {};
}

std::chrono::nanoseconds LiveSearch::worker_time() const {
  if (preparing_) return preparing_->worker_time;  // it is busy
  return evaluator_ ? evaluator_->cpu_time() : 0ns;
}

// What was good for other sizes, then what may be good: each once.
std::vector<space::Index> LiveSearch::first_members(const Family& family,
                                                    std::span<const space::Index> starts) const {
  std::vector<space::Index> members;
  const auto add = [&](space::Index member) {
    const bool known =
        member == family.baseline || std::ranges::find(members, member) != members.end();
    if (!known) members.push_back(member);
  };
  std::ranges::for_each(starts, add);
  std::ranges::for_each(promising_members(family, options_.store), add);
  return members;
}

Result<trial::Evaluator*> LiveSearch::evaluator() {
  if (evaluator_) return &*evaluator_;
  VYRE_TRY(auto made, trial::Evaluator::start(options_.worker, 1));
  return &evaluator_.emplace(std::move(made));
}

std::chrono::milliseconds LiveSearch::run_limit_for(Live& live) const {
  const auto original = live.original_time().value_or(0ns);
  const auto limit = std::max<std::chrono::milliseconds>(
      shortest_run_limit,
      std::chrono::ceil<std::chrono::milliseconds>(original * launches_in_limit));
  return std::min(options_.worker.run_limit, limit);
}

Result<bool> LiveSearch::find_members(Kernel& kernel) {
  Live& live = *kernel.live;
  if (live.family().space.size() == 1 || kernel.before.size() >= options_.evaluations) return true;
  live.time_again();
  wait_for_turns(kernel);
  Result<void> problem;
  const auto copies = copies_of(kernel, problem);
  VYRE_CHECK(problem);
  if (!copies) return false;
  set_working(true);
  VYRE_TRY(const Workload workload, workload_of(live, *copies));
  VYRE_TRY(trial::Evaluator* const evaluator, this->evaluator());
  evaluator->set_limits({.build = options_.worker.build_limit, .run = run_limit_for(live)});
  if (kernel.before.empty()) count(Count::tunings);
  LoopOptions loop;
  loop.before = kernel.before;
  loop.tune.strategy = kernel.before.empty() ? strategy : strategy_again;
  loop.tune.seed = options_.seed;
  loop.tune.evaluations = options_.evaluations;
  loop.tune.time = std::chrono::hours(24);
  loop.tune.workers = 1;
  loop.finalists = 0;
  loop.first = {live.starts().begin(), live.starts().end()};
  loop.promising = promising_members(live.family(), options_.store);
  VYRE_TRY(loop.expected, expected_of(live, *copies, workload));
  if (!live.has_times()) loop.first.insert(loop.first.begin(), live.family().baseline);
  loop.evaluate.repeat.budget = 40ms;
  loop.evaluate.basis = {};  // wall time says little beside a busy program
  bool goes_on = true;
  VYRE_CHECK(tune(*evaluator, live.family(), workload, loop, [&](const Progress& progress) {
    return goes_on = after_attempt(kernel, *copies, progress);
  }));
  return goes_on;
}

bool LiveSearch::after_attempt(Kernel& kernel, const Live::Copies& copies,
                               const Progress& progress) {
  Live& live = *kernel.live;
  const Attempt& attempt = *progress.latest;
  count(Count::evaluations);
  kernel.before.push_back(attempt);
  kernel.in_vain = progress.best == progress.latest ? 0 : kernel.in_vain + 1;
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
  return wait_until_affordable(kernel);
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

// While the worker is at rest, times are those of the program alone: the time to compare members,
// and for a look.
bool LiveSearch::wait_until_affordable(Kernel& kernel) {
  set_working(false);
  wait_for_turns(kernel);
  do {
    care();
    if (kernel.live->is_closed() || gives_way(kernel)) return false;
    const bool rests = !kernel.in_use || kernel.live->is_looking();
    if (!rests && may_spend_on(kernel)) {
      set_working(true);
      return !*stop_;
    }
    look();
  } while (pause(20ms));
  return false;
}

void LiveSearch::wait_for_turns(Kernel& kernel) {
  const auto end = steady_clock().now() + longest_turns;
  do {
    care();
    if (kernel.live->is_settled() || kernel.live->is_closed()) return;
  } while (steady_clock().now() < end && pause(2ms));
}

}  // namespace vyre::tune
