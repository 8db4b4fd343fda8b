// Finds members for kernels that are tuned live, in the background.
//
// One thread and one worker process for any number of kernels. A kernel that was called often
// enough is searched as `vyre tune` would search it, on copies of what its buffers held at one
// dispatch; one that is not called any more, or was searched for a while, gives way to others; what
// is nearly as good as the best so far is compiled in this process, run once on the copies, and
// handed to the kernel. How much it may cost is for `may_spend` to say, and while it runs it has a
// share of the machine and no more. What will be tried first is compiled while the first call waits
// for its own compiler. Whatever fails, kernels go on with what they have.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "trial/evaluator.h"
#include "tune/first_call.h"
#include "tune/live.h"
#include "tune/live_budget.h"
#include "tune/live_loss.h"
#include "tune/tune.h"
#include "vyre/device/device.h"
#include "vyre/store/store.h"
#include "vyre/tune/counters.h"
#include "vyre/worker/options.h"

namespace vyre::tune {

struct LiveSearchOptions {
  double share = 0.2;  // of the machine, while it runs
  std::uint64_t seed = 0;
  std::size_t evaluations = 48;   // members tried for a kernel
  store::Store* store = nullptr;  // none: nothing is remembered
  Counters* counters = nullptr;
  worker::Options worker = {};  // its device is set to the kernels'
};

class LiveSearch {
 public:
  // The device, the store and the counters must outlive it.
  LiveSearch(device::Device& device, LiveSearchOptions options);
  LiveSearch(const LiveSearch&) = delete;
  LiveSearch& operator=(const LiveSearch&) = delete;
  // Ends what is under way, within moments.
  ~LiveSearch();

  // From any thread. An error if no thread can be started: the kernel then stays as it is.
  [[nodiscard]] Result<void> add(std::shared_ptr<Live> live);

  // Held during a call that has to compile. If it takes long a worker gets ready meanwhile, and
  // compiles what will be tried first, on a core that has nothing to do.
  class Compiling {
   public:
    Compiling(LiveSearch& search, FirstCall call);
    Compiling(const Compiling&) = delete;
    Compiling& operator=(const Compiling&) = delete;
    ~Compiling();

   private:
    LiveSearch& search_;
    std::shared_ptr<WaitingCall> waiting_;
  };

 private:
  struct Kernel {
    std::shared_ptr<Live> live;
    double gain = 1;              // that programs which are like it had
    std::uint64_t seen = 0;       // launches when that was last looked at,
    bool in_use = true;           // and whether there were some since the time before
    std::uint64_t accounted = 0;  // launches that the loss is known of
    std::vector<Attempt> before;  // of its search so far
    std::size_t in_vain = 0;      // of them, since the best one
  };

  // Requires: the lock.
  [[nodiscard]] Result<void> start_thread();
  void run();
  // Decisions and matrices of all kernels.
  void care();
  // Which kernels are in use, when it is time.
  void see();
  // Looks at those, when it is time.
  void look();
  void remember(Live& live);
  // But not the one that is searched.
  void forget_closed();
  [[nodiscard]] Kernel* next_to_search();
  // All that was spent counts, and all that was gained, since the first kernel was called; none
  // while the kernel's time is not known.
  [[nodiscard]] std::optional<LiveSpending> spending_on(const Kernel& kernel);
  [[nodiscard]] bool may_begin_with(const Kernel& kernel);
  [[nodiscard]] std::chrono::nanoseconds cost_of_first(const Kernel& kernel) const;
  // Also if so much more is.
  [[nodiscard]] bool may_spend_on(const Kernel& kernel, std::chrono::nanoseconds more = {});
  // Whether another one is to be searched before more is tried for this.
  [[nodiscard]] bool gives_way(const Kernel& kernel);
  // Those that were added since the last time.
  void welcome();
  void search(Kernel& kernel);
  // What the program did since the last time, while the search worked or was at rest.
  void account();
  // From now on it works, or is at rest.
  void set_working(bool working);
  // Whether all was tried that may be.
  [[nodiscard]] Result<bool> find_members(Kernel& kernel);
  [[nodiscard]] std::optional<Live::Copies> copies_of(Kernel& kernel, Result<void>& problem);
  [[nodiscard]] Result<Workload> workload_of(const Live& live, const Live::Copies& copies);
  [[nodiscard]] Result<std::vector<trial::Expected>> expected_of(const Live& live,
                                                                 const Live::Copies& copies,
                                                                 const Workload& workload);
  [[nodiscard]] Result<void> read(std::span<std::byte> to, device::Buffer& from);
  // While somebody compiles: what will be tried first, by a worker.
  void prepare();
  [[nodiscard]] std::shared_ptr<WaitingCall> next_to_prepare();
  [[nodiscard]] Result<void> prepare(const Family& family, const Workload& workload,
                                     space::Index member);
  [[nodiscard]] bool has_ended(const WaitingCall& waiting);
  [[nodiscard]] bool somebody_waits();
  // Beside those that wait for their compilers. Requires: the lock.
  [[nodiscard]] bool has_idle_core() const;
  // Whether the worker has to wait before it goes on with that; it has used so much CPU time.
  [[nodiscard]] bool rests(std::chrono::nanoseconds worker_time);
  // What the worker has used since the last time, while nobody wanted it.
  void count_idle();
  [[nodiscard]] std::chrono::nanoseconds worker_time() const;
  [[nodiscard]] std::vector<space::Index> first_members(const Family& family,
                                                        std::span<const space::Index> starts) const;
  [[nodiscard]] Result<trial::Evaluator*> evaluator();
  [[nodiscard]] std::chrono::milliseconds run_limit_for(Live& live) const;
  [[nodiscard]] bool after_attempt(Kernel& kernel, const Live::Copies& copies,
                                   const Progress& progress);
  void try_here(Live& live, const Live::Copies& copies, const Attempt& attempt);
  // Whether more is to be tried for this kernel.
  [[nodiscard]] bool wait_until_affordable(Kernel& kernel);
  // Until calls have compared what there is, undisturbed; not for long.
  void wait_for_turns(Kernel& kernel);
  // False if the end has come.
  bool pause(std::chrono::milliseconds time);
  void count(Count what) {
    if (options_.counters != nullptr) options_.counters->add(what);
  }

  device::Device& device_;
  LiveSearchOptions options_;
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Live>> added_;            // under the lock
  std::vector<std::shared_ptr<WaitingCall>> waiting_;   // likewise
  std::optional<std::chrono::nanoseconds> first_call_;  // likewise: when it began

  // Of the thread alone.
  std::list<Kernel> kernels_;
  const Kernel* searched_ = nullptr;               // at this moment
  std::optional<std::chrono::nanoseconds> began_;  // when the first of all was called
  std::chrono::nanoseconds gained_before_{};       // by those that are gone
  LiveLoss loss_;
  std::chrono::nanoseconds accounted_{};  // when it was last added to
  bool working_ = false;
  MatrixSource matrix_;
  std::unique_ptr<device::Queue> queue_;
  std::optional<trial::Evaluator> evaluator_;
  std::optional<Preparation> preparing_;  // at this moment
  // Dispatches whose first members are compiled, and what that cost.
  std::map<store::Key, std::chrono::nanoseconds> prepared_;
  std::chrono::nanoseconds idle_time_{};  // CPU time of the worker that nobody else had wanted
  std::chrono::steady_clock::time_point next_sight_ = {};
  std::chrono::steady_clock::time_point next_look_ = {};

  std::thread thread_;  // ends before all the rest
};

}  // namespace vyre::tune
