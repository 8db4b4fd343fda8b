#include "trial/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/memory.h"

namespace vyre::trial {
namespace {

constexpr std::size_t most_by_default = 4;
constexpr std::size_t most_workers = 64;

// A clock that several threads may read.
class SharedClock final : public Clock {
 public:
  explicit SharedClock(Clock& clock) : clock_(clock) {}
  [[nodiscard]] std::chrono::nanoseconds now() override {
    const std::lock_guard guard(mutex_);
    return clock_.now();
  }

 private:
  std::mutex mutex_;
  Clock& clock_;
};

Result<Evaluator::Ran> run_once(worker::Session& session, const Candidate& candidate,
                                Clock& clock) {
  const auto began = clock.now();
  VYRE_TRY(const auto id, session.build(candidate.kernel));
  const auto built = clock.now();
  Evaluated evaluated(session, candidate.name, {}, id);  // forgets it if it fails
  VYRE_TRY(auto output, session.run(id));
  const auto ended = clock.now();
  Outcome outcome{.costs = {.build = built - began, .verify = ended - built, .measure = {}},
                  .prepared = {began, ended}};
  evaluated.set_outcome(std::move(outcome));
  return Evaluator::Ran{std::move(output), std::move(evaluated)};
}

// In a thread, where nobody catches what is thrown.
Result<Evaluated> prepare_within_memory(worker::Session& session, const Candidate& candidate,
                                        const EvaluateOptions& options, Clock& clock) {
  return within_memory([&] { return prepare(session, candidate, options, clock); });
}

}  // namespace

class Evaluator::State {
 public:
  State(worker::Session first, std::size_t workers, Clock& clock)
      : adapter_(first.adapter()),
        language_(first.language()),
        clock_(clock),
        options_(first.sharing_cache()),
        limits_(worker::limits_of(options_)),
        in_use_(workers, false) {
    sessions_.resize(workers);
    sessions_[0].emplace(std::move(first));
    start_threads(workers);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    {
      const std::lock_guard guard(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  [[nodiscard]] const device::Adapter& adapter() const { return adapter_; }
  [[nodiscard]] Language language() const { return language_; }

  [[nodiscard]] std::size_t workers() {
    const std::lock_guard guard(mutex_);
    return working_;
  }
  [[nodiscard]] std::string problem() {
    const std::lock_guard guard(mutex_);
    return problem_;
  }
  [[nodiscard]] std::size_t pending() {
    const std::lock_guard guard(mutex_);
    return items_.size();
  }

  void set_limits(const worker::Limits& limits) {
    const std::lock_guard guard(mutex_);
    check(running() == 0, "no worker does anything while its limits are changed");
    limits_ = limits;
    for (auto& session : sessions_) {
      if (session) session->set_limits(limits);
    }
  }
  [[nodiscard]] std::chrono::nanoseconds cpu_time() {
    const std::lock_guard guard(mutex_);
    check(running() == 0, "no worker does anything while its time is read");
    std::chrono::nanoseconds sum{};
    for (const auto& session : sessions_) {
      if (session) sum += session->cpu_time();
    }
    return sum;
  }

  void submit(Candidate candidate, const EvaluateOptions& options) {
    {
      const std::lock_guard guard(mutex_);
      items_.push_back(
          std::make_shared<Item>(Item{.candidate = std::move(candidate), .options = options}));
    }
    changed_.notify_all();
  }

  void warm_up(const worker::Job& kernel) {
    {
      const std::lock_guard guard(mutex_);
      if (warming_) return;
      warming_ = kernel;
    }
    changed_.notify_all();
  }

  [[nodiscard]] worker::Limits limits() {
    const std::lock_guard guard(mutex_);
    return limits_;
  }

  Result<Ran> run(const Candidate& candidate) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !in_use_[0]; });
    in_use_[0] = true;
    lock.unlock();
    auto ran = within_memory([&] { return run_once(*sessions_[0], candidate, clock_); });
    lock.lock();
    in_use_[0] = false;
    changed_.notify_all();
    end_warm_up(lock);
    return ran;
  }

  Result<Evaluated> next(std::optional<double> best_ns) {
    std::unique_lock lock(mutex_);
    check(!items_.empty(), "a candidate is pending");
    // From then on until it is taken off, nothing is begun: see can_begin.
    changed_.wait(lock, [&] { return items_.front()->ready; });
    end_warm_up(lock);
    const std::shared_ptr<Item> item = items_.front();
    lock.unlock();
    prepare_again_if_crowded(*item);
    if (item->prepared->has_value()) {
      EvaluateOptions options = item->options;
      options.repeat.best_ns = best_ns;
      if (auto done = (*item->prepared)->measure(options, clock_); !done) {
        item->prepared = Unexpected(done.error());
      }
    }
    lock.lock();
    items_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return *std::move(item->prepared);
  }

  void discard() {
    std::unique_lock lock(mutex_);
    discarding_ = true;
    changed_.wait(lock, [&] { return running() == 0; });
    items_.clear();
    warming_.reset();
    discarding_ = false;
  }

 private:
  struct Item {
    Candidate candidate;
    EvaluateOptions options;
    bool begun = false;
    bool crowded = false;     // others were prepared at the same time
    bool ready = false;       // prepared, and from then on that of whoever calls next
    std::size_t session = 0;  // whose it is
    std::optional<Result<Evaluated>> prepared = {};
  };

  // Workers that start or prepare something. The caller's thread is never in run at that time.
  [[nodiscard]] std::ptrdiff_t running() const { return std::ranges::count(in_use_, true); }

  // Of the first that no worker has taken.
  [[nodiscard]] std::size_t next_to_begin() const {
    const auto at = std::ranges::find(items_, false, [](const auto& item) { return item->begun; });
    return static_cast<std::size_t>(at - items_.begin());
  }

  // A batch is what was begun since the one before was measured to its end: while something of it
  // waits for its turn to be measured and nothing is being prepared, nothing begins.
  [[nodiscard]] bool can_begin() const {
    if (discarding_ || next_to_begin() == items_.size()) return false;
    return running() > 0 || !items_.front()->ready;
  }

  // At least one; where there is no room for more, fewer do the same work.
  void start_threads(std::size_t workers) {
    threads_.reserve(workers);
    try {
      for (std::size_t i = 0; i < workers; ++i) threads_.emplace_back([this, i] { work(i); });
    } catch (const std::system_error& failed) {
      if (threads_.empty()) throw;
      problem_ = fmt::format("{} workers of {}: {}", threads_.size(), workers, failed.what());
    }
    const std::lock_guard guard(mutex_);
    working_ = threads_.size();
  }

  void work(std::size_t i) {
    bool warm = false;
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] {
        return stop_ || (!in_use_[i] && (can_begin() || (!warm && can_warm_up())));
      });
      if (stop_) return;
      const bool begins = can_begin();
      in_use_[i] = true;
      const bool there = begins ? take(i, lock) : build_warm_up(i, lock);
      warm = true;
      in_use_[i] = false;
      if (!there) --working_;
      changed_.notify_all();
      if (!there) return;
    }
  }

  // What is measured next must be alone.
  void end_warm_up(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [&] { return running() == 0; });
    warming_.reset();
  }

  // Only where nothing waits to be measured.
  [[nodiscard]] bool can_warm_up() const {
    return warming_ && !discarding_ && (items_.empty() || !items_.front()->ready);
  }

  [[nodiscard]] bool build_warm_up(std::size_t i, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    const bool there = has_session(i);
    if (there) {
      const auto built = within_memory([&] { return sessions_[i]->build(*warming_); });
      if (built) sessions_[i]->forget(*built);
    }
    lock.lock();
    return there;
  }

  // Prepares the next one; false if there is no session for it, so that another must take it.
  [[nodiscard]] bool take(std::size_t i, std::unique_lock<std::mutex>& lock) {
    const std::shared_ptr<Item> item = items_[next_to_begin()];
    item->begun = true;
    item->session = i;
    for (const auto& other : items_) other->crowded |= running() > 1 && other->begun;
    lock.unlock();
    const bool there = has_session(i);
    std::optional<Result<Evaluated>> made;
    if (there) {
      made.emplace(prepare_within_memory(*sessions_[i], item->candidate, item->options, clock_));
    }
    lock.lock();
    if (made) item->prepared.emplace(*std::move(made));
    item->ready = there;
    item->begun = there;
    return there;
  }

  // What took too long while others used the cores or the device too gets its time alone.
  void prepare_again_if_crowded(Item& item) {
    const Result<Evaluated>& made = *item.prepared;
    if (!item.crowded || !item.options.again_if_crowded || !made) return;
    if (made->outcome().verdict != Verdict::timeout) return;
    item.prepared.emplace(prepare(*sessions_[item.session], item.candidate, item.options, clock_));
  }

  // Only its own thread looks at a session that is not there yet.
  [[nodiscard]] bool has_session(std::size_t i) {
    if (sessions_[i]) return true;
    auto session = within_memory([&] { return worker::Session::start(options_); });
    if (session) {
      session->set_limits(limits_);  // nobody changes them meanwhile
      sessions_[i].emplace(*std::move(session));
      return true;
    }
    const std::lock_guard guard(mutex_);
    problem_ = "one worker less than could be used: " + session.error().message;
    return false;
  }

  const device::Adapter adapter_;
  const Language language_;
  SharedClock clock_;
  const worker::Options options_;
  worker::Limits limits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<worker::Session>> sessions_;
  std::vector<bool> in_use_;                 // of the sessions, by run or by their worker
  std::deque<std::shared_ptr<Item>> items_;  // in the order of submission
  std::size_t working_ = 0;
  std::optional<worker::Job> warming_;  // until something is measured
  std::string problem_;
  bool discarding_ = false;
  bool stop_ = false;
  std::vector<std::thread> threads_;  // end before all the rest
};

std::size_t default_workers() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_by_default);
}

Evaluator::Evaluator(std::unique_ptr<State> state) : state_(std::move(state)) {}
Evaluator::Evaluator(Evaluator&& other) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&& other) noexcept = default;
Evaluator::~Evaluator() = default;

Result<Evaluator> Evaluator::start(const worker::Options& options, std::size_t workers,
                                   Clock& clock) {
  if (workers > most_workers) {
    return fail(ErrorKind::input,
                fmt::format("{} workers are too many: {} is the most", workers, most_workers));
  }
  auto first = worker::Session::start(options);
  if (!first) return Unexpected(first.error());
  try {
    return Evaluator(std::make_unique<State>(*std::move(first),
                                             workers == 0 ? default_workers() : workers, clock));
  } catch (const std::system_error& failed) {
    return fail(ErrorKind::limit, fmt::format("cannot start a thread: {}; end other programs or "
                                              "raise the limits (ulimit -u, ulimit -v)",
                                              failed.what()));
  }
}

const device::Adapter& Evaluator::adapter() const { return state_->adapter(); }
Language Evaluator::language() const { return state_->language(); }
std::size_t Evaluator::workers() const { return state_->workers(); }
std::string Evaluator::problem() const { return state_->problem(); }

Result<Evaluator::Ran> Evaluator::run(const Candidate& candidate) {
  check(pending() == 0, "a kernel runs by itself");
  return state_->run(candidate);
}

void Evaluator::submit(Candidate candidate, const EvaluateOptions& options) {
  state_->submit(std::move(candidate), options);
}
void Evaluator::warm_up(const worker::Job& kernel) { state_->warm_up(kernel); }
void Evaluator::set_limits(const worker::Limits& limits) { state_->set_limits(limits); }
worker::Limits Evaluator::limits() const { return state_->limits(); }
std::chrono::nanoseconds Evaluator::cpu_time() const { return state_->cpu_time(); }
std::size_t Evaluator::pending() const { return state_->pending(); }
Result<Evaluated> Evaluator::next(std::optional<double> best_ns) { return state_->next(best_ns); }
void Evaluator::discard() { state_->discard(); }

}  // namespace vyre::trial
