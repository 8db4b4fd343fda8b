// Finds members for kernels that are tuned live, in the background.
//
// One thread and one worker process for any number of kernels. A kernel that was called often
// enough is searched as `vyre tune` would search it, on copies of what its buffers held at one
// dispatch; what is nearly as good as the best so far is compiled in this process, run once on the
// copies, and handed to the kernel. How much it may cost is for `may_spend` to say, and while it
// runs it has a share of the machine and no more. Whatever fails, kernels go on with what they
// have.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "trial/evaluator.h"
#include "tune/live.h"
#include "tune/live_budget.h"
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

 private:
  struct Kernel {
    std::shared_ptr<Live> live;
    std::uint64_t seen = 0;  // launches at the last look
    double gain = 1;         // that programs which are like it had
  };

  void run();
  // Decisions and matrices of all kernels.
  void care();
  // Looks at all kernels, when it is time.
  void look();
  void remember(Live& live);
  [[nodiscard]] std::shared_ptr<Live> next_to_search();
  // All that was spent counts, and all that was gained; none while the kernel's time is not known.
  [[nodiscard]] std::optional<LiveSpending> spending_on(Live& live);
  [[nodiscard]] bool may_begin_with(const Kernel& kernel);
  // Also if so much more is.
  [[nodiscard]] bool may_spend_on(Live& live, std::chrono::nanoseconds more = {});
  // Those that were added since the last time.
  void welcome();
  void search(Live& live);
  [[nodiscard]] Result<void> find_members(Live& live);
  [[nodiscard]] std::optional<Live::Copies> copies_of(Live& live, Result<void>& problem);
  [[nodiscard]] Result<Workload> workload_of(const Live& live, const Live::Copies& copies);
  [[nodiscard]] Result<std::vector<trial::Expected>> expected_of(const Live& live,
                                                                 const Live::Copies& copies);
  [[nodiscard]] Result<void> read(std::span<std::byte> to, device::Buffer& from);
  [[nodiscard]] Result<trial::Evaluator*> evaluator_for(Live& live);
  [[nodiscard]] bool after_attempt(Live& live, const Live::Copies& copies,
                                   const Progress& progress);
  void try_here(Live& live, const Live::Copies& copies, const Attempt& attempt);
  // Whether it still has a kernel to work for.
  [[nodiscard]] bool wait_until_affordable(Live& live);
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
  std::vector<std::shared_ptr<Live>> added_;  // under the lock

  // Of the thread alone.
  std::vector<Kernel> kernels_;
  MatrixSource matrix_;
  std::unique_ptr<device::Queue> queue_;
  std::optional<trial::Evaluator> evaluator_;
  std::chrono::milliseconds run_limit_{};
  std::chrono::nanoseconds ended_evaluators_{};  // CPU time of those that are gone
  std::chrono::steady_clock::time_point next_look_ = {};

  std::thread thread_;  // ends before all the rest
};

}  // namespace vyre::tune
