// What a context is: a device, its queue, the store, and the errors that nobody has seen yet.
//
// Everything that is made by a context holds it, so it ends with the last of them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "front/command.h"
#include "tune/live_search.h"
#include "vyre/device/device.h"
#include "vyre/device/queue.h"
#include "vyre/front/context.h"
#include "vyre/front/event.h"
#include "vyre/store/store.h"
#include "vyre/tune/counters.h"
#include "vyre/tune/tuned.h"

namespace vyre::detail {

class ContextState;
// As Context::open does.
[[nodiscard]] Result<std::shared_ptr<ContextState>> open_context(ContextOptions options);

class ContextState : public std::enable_shared_from_this<ContextState> {
 public:
  ContextState(ContextOptions options, std::unique_ptr<device::Device> device,
               std::unique_ptr<device::Queue> queue);
  ContextState(const ContextState&) = delete;
  ContextState& operator=(const ContextState&) = delete;
  ~ContextState();

  // Where decisions are kept; before anything is made.
  void remember_in(const std::string& directory);

  [[nodiscard]] device::Device& device() { return *device_; }
  [[nodiscard]] device::Queue& queue() { return *queue_; }
  [[nodiscard]] tune::TunedOptions tuned_options();
  [[nodiscard]] tune::Counters& counters() { return counters_; }
  void log(const std::string& line);

  [[nodiscard]] bool is_live() const { return options_.mode == tune::Mode::live; }
  [[nodiscard]] store::Store* store() { return store_ ? &*store_ : nullptr; }
  // What finds members for kernels that are tuned live. Requires: hold().
  [[nodiscard]] tune::LiveSearch& live_search();
  [[nodiscard]] std::string_view live_policy() const {
    return options_.live.policy.empty() ? tune::default_live_policy : options_.live.policy;
  }
  // One more, or one less, whose launches have to be timed. Requires: hold().
  [[nodiscard]] Result<void> begin_timing();
  void end_timing();

  // A command under way, watched until it has ended.
  // `host` is what it copies from.
  Event submit(device::Event event, const std::string& name, std::vector<std::byte> host = {});

  // Held by whoever launches a kernel that others may launch too.
  [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }
  // As submit(). Requires: hold().
  Event watch(device::Event event, const std::string& name);
  // Whether watch() needs no memory. Requires: hold().
  [[nodiscard]] bool has_room() const {
    return !options_.timed && under_way_.size() < under_way_.capacity();
  }

  // The same string for as long as the context lives.
  [[nodiscard]] const std::string& keep_name(const std::string& name);
  [[nodiscard]] bool has_ended(std::uint64_t number);
  [[nodiscard]] Result<void> wait(std::uint64_t number);
  // Keeps the error if it is the first.
  Kept keep(Error error);

  // After a wait for all that was enqueued: what failed on the way. Until finish() nobody knows
  // what any array holds then.
  [[nodiscard]] Result<void> check_ended();
  [[nodiscard]] Result<void> finish();

 private:
  // Under the lock.
  void look();
  // At the oldest `count`, which are waited for.
  void look_at_oldest(std::size_t count);
  void note_failure(std::size_t index);
  void keep_first(const Kept& kept);
  void settle() { look_at_oldest(under_way_.size()); }

  ContextOptions options_;
  std::unique_ptr<device::Device> device_;
  std::unique_ptr<device::Queue> queue_;  // before the device
  std::optional<store::Store> store_;
  tune::Counters counters_;

  std::mutex mutex_;
  // Commands that are not known to have ended, by number.
  struct UnderWay {
    device::Event event;
    const std::string* name = nullptr;
  };
  std::vector<UnderWay> under_way_;
  std::map<std::uint64_t, std::vector<std::byte>> sources_;  // what some of them copy from
  std::uint64_t oldest_ = 0;                                 // the number of the first of them
  std::size_t next_look_;                                    // when there are so many
  std::vector<const device::Event*> events_;                 // of those looked at
  std::map<std::uint64_t, Kept> failed_;  // the last of those that failed while they ran
  std::set<std::string> names_;
  Kept first_;  // since the last finish()
  Kept lost_;   // of a command that failed while it ran
  std::size_t timing_ = 0;
  std::unique_ptr<tune::LiveSearch> live_search_;  // ends before all the rest
};

}  // namespace vyre::detail
