// A kernel of one size that is tuned by the calls that happen anyway.
//
// It begins as it is. Members that a LiveSearch has compiled and checked are arms of a LivePolicy;
// dispatches take turns among them, what their launches took is told to the policy, and when that
// has settled every dispatch runs the best and nothing is measured. Now and then it takes a look:
// when the times changed for good, it takes turns again.
//
// Two threads meet here. Dispatches, one at a time (whoever holds the queue), never wait for the
// other: the LiveSearch, which adds members and asks for a look or for copies of the buffers.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "tune/change_detector.h"
#include "tune/family.h"
#include "tune/live_matrix.h"
#include "tune/live_policy.h"
#include "vyre/base/error.h"
#include "vyre/device/queue.h"
#include "vyre/run/run.h"
#include "vyre/store/decision.h"
#include "vyre/tune/live_status.h"

namespace vyre::tune {

class Live {
 public:
  // `original` runs already, and must outlive this; it is arm 0. `starts` are members to be tried
  // first. Refuses a policy that there is not.
  [[nodiscard]] static Result<std::shared_ptr<Live>> make(Family family, ir::Uniforms uniforms,
                                                          run::Executable& original,
                                                          std::string_view policy,
                                                          std::vector<space::Index> starts,
                                                          Clock& clock = steady_clock());

  // --- For dispatches, one at a time.

  // A dispatch that the kernel's best is launched for without further ado.
  void count() {
    launches_.store(launches_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // Something is to be done at the next dispatch: a turn, or copies.
  [[nodiscard]] bool has_news() const { return news_.load(std::memory_order_acquire); }

  struct Turn {
    std::size_t arm = 0;
    run::Executable* executable = nullptr;
    bool timed = false;   // its event must know how long it took
    bool copied = false;  // the buffers are copied before it and after it
  };
  // Before and after a turn that says so. `own` are values of uniforms that only this launch has.
  void copy_inputs(device::Device& device, device::Queue& queue,
                   std::span<device::Buffer* const> buffers, const ir::Uniforms& own);
  void copy_results(device::Device& device, device::Queue& queue,
                    std::span<device::Buffer* const> buffers);
  // What this dispatch is to launch.
  [[nodiscard]] Turn turn();
  // Its launch; nothing if it was refused, after which the arm is not tried again.
  void launched(const Turn& turn, std::optional<device::Event> event);
  // That arms' launches have no times here: what the search measured decides.
  void do_without_times();
  // A launch to wait for so that turns do not run far ahead of what is known; none if they do not.
  [[nodiscard]] device::Event far_behind();
  [[nodiscard]] run::Executable* best();
  [[nodiscard]] Result<void> set(std::string_view uniform, Literal value);
  // It will not be dispatched any more.
  void close() { closed_.store(true); }

  // --- For the search.

  // What a launch of the kernel as it is takes, by the device's clock; none if that is not known.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> original_time();
  // One of the best so far; 0 if that is not known.
  [[nodiscard]] std::chrono::nanoseconds launch_time();
  [[nodiscard]] std::chrono::nanoseconds gained();
  [[nodiscard]] std::chrono::nanoseconds began() const { return began_; }
  [[nodiscard]] std::uint64_t launches() const { return launches_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_closed() const { return closed_.load(); }
  [[nodiscard]] bool is_settled();
  [[nodiscard]] bool is_looking();
  [[nodiscard]] bool has_times();
  [[nodiscard]] bool is_searched();

  // What the kernel as it is takes, once more: its first launches may have run beside other things.
  // Nothing if those are not long ago, or there is more to compare than it.
  void time_again();
  // Asks the next dispatch, which then runs the kernel as it is, for copies of its buffers.
  void ask_for_copies();
  struct Copies {
    std::vector<std::unique_ptr<device::Buffer>> inputs;
    std::vector<std::unique_ptr<device::Buffer>> results;  // null of what is only read
    device::Event made;
    ir::Uniforms uniforms;
  };
  [[nodiscard]] std::optional<Result<Copies>> take_copies();

  // A member that was compiled, checked and run on this device; what it took where it was tried.
  void add(space::Index member, run::Executable executable, const ArmEstimate& tried);
  void tried(bool failed);
  // What the kernel as it is took there.
  void tried_original(const ArmEstimate& took);
  // Nothing more will be added; `problem` says why if that is not because all was tried.
  void end_search(std::string problem);
  // The next dispatches say how long they take; not at every request where times changed often.
  void look();
  // For a policy that plans by a matrix, where that is asked for.
  void compute_matrix(const MatrixSource& on_device) { matrix_.compute(on_device); }

  // What it has come to, as a decision with its evidence; none if nothing was compared, or nothing
  // has changed since the last one.
  [[nodiscard]] std::optional<Result<store::Decision>> new_decision();
  [[nodiscard]] const Family& family() const { return family_; }
  [[nodiscard]] std::span<const space::Index> starts() const { return starts_; }

  // --- For anybody.
  [[nodiscard]] LiveStatus status();
  [[nodiscard]] space::Index best_member();

 private:
  struct Arm {
    space::Index member = 0;
    std::optional<run::Executable> own;  // none of the original
    run::Executable* executable = nullptr;
    ArmEstimate tried;   // where it was tried
    ArmEstimate before;  // by its launches, before the times changed
    bool refused = false;
  };
  struct Timed {
    std::size_t arm = 0;
    device::Event event;
  };
  enum class Phase : std::uint8_t { turns, looking, resting };

  Live(Family family, ir::Uniforms uniforms, run::Executable& original,
       std::vector<space::Index> starts, Clock& clock);

  // All under the lock.
  [[nodiscard]] Result<std::unique_ptr<device::Buffer>> copy_of(device::Device& device,
                                                                device::Queue& queue,
                                                                device::Buffer& buffer,
                                                                bool content);
  void drain();
  void tell(std::size_t arm, double ns);
  void tell_detector(double ns);
  void settle_if_possible();
  void begin_look(std::size_t dispatches);
  void end_look();
  void take_turns();
  void rest();
  [[nodiscard]] std::size_t next_arm();
  [[nodiscard]] std::size_t best_arm() const;
  [[nodiscard]] bool has_enough_of_original() const;
  // By its launches; where those have no times, by the search. What did not run since the times
  // changed is as far from the best as it was before.
  [[nodiscard]] ArmEstimate known_of(std::size_t arm) const;
  void count_gain();
  void update_news();

  const Family family_;
  const std::vector<space::Index> starts_;
  const std::chrono::nanoseconds began_;
  std::atomic<std::uint64_t> launches_ = 0;
  std::atomic<bool> news_ = true;
  std::atomic<bool> closed_ = false;

  std::mutex mutex_;
  ir::Uniforms uniforms_;
  LateMatrix matrix_;
  std::unique_ptr<LivePolicy> policy_;
  std::deque<Arm> arms_;
  Phase phase_ = Phase::turns;
  std::vector<std::size_t> plan_;
  std::size_t planned_ = 0;  // of the plan, that was taken
  std::deque<Timed> under_way_;
  ChangeDetector detector_;
  std::size_t looks_ = 0;        // dispatches left of this look
  std::size_t looked_ = 0;       // samples of this look,
  double sum_ = 0;               // and of their log ns
  std::optional<double> level_;  // the mean of that when it had settled
  std::size_t unrest_ = 0;       // changes lately, less the looks that saw none
  std::size_t passed_over_ = 0;  // requests for a look
  bool without_times_ = false;
  bool knows_original_ = false;  // well enough for a search to begin, and to say what was gained
  double gained_ns_ = 0;
  std::uint64_t counted_ = 0;  // launches of which the gain is known
  bool asked_ = false;
  Copies copying_;
  std::optional<Result<Copies>> copies_;
  bool searched_ = false;
  std::string problem_;
  std::size_t tried_ = 0;
  std::size_t failed_ = 0;
  std::size_t restarts_ = 0;
  std::optional<std::size_t> decided_;  // the arm of the last decision
};

}  // namespace vyre::tune
