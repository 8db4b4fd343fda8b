// A session's inside: the worker process, what it was given, and what it must be given again after
// it was lost.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "vyre/base/expected.h"
#include "worker/message.h"
#include "worker/process.h"
#include "worker/scratch.h"
#include "worker/session.h"

namespace vyre::worker {

class Session::State {
 public:
  State(Options options, Scratch scratch, std::string program);

  [[nodiscard]] Result<void> ready();
  [[nodiscard]] Result<KernelId> build(Job job);
  void forget(KernelId id);
  [[nodiscard]] Result<Output> run(KernelId id, std::span<const Data> likely);
  [[nodiscard]] Result<device::Timing> time(KernelId id, std::uint32_t launches);
  void renew();
  [[nodiscard]] Options sharing_cache() const;
  [[nodiscard]] bool is_used(KernelId id) const;
  [[nodiscard]] bool is_warm(KernelId id) const;

  [[nodiscard]] const Opened& opened() const { return *opened_; }
  [[nodiscard]] std::uint64_t started() const { return started_; }
  void set_limits(const Limits& limits) { limits_ = limits; }
  [[nodiscard]] std::chrono::nanoseconds cpu_time() const {
    return ended_cpu_time_ + (process_ ? process_->cpu_time() : std::chrono::nanoseconds(0));
  }
  [[nodiscard]] const std::optional<Process>& process() const { return process_; }

 private:
  // How long one request may take, and what a worker lost in it means.
  struct Stage {
    std::string doing;
    std::chrono::milliseconds limit;
    ErrorKind lost = ErrorKind::run;
    std::uint64_t max_answer = 1U << 20U;
  };

  // Sends the request to a living worker and waits for what answers it.
  template <class Expected>
  [[nodiscard]] Result<Expected> call(const Request& request, const Stage& stage);
  [[nodiscard]] Result<Answer> exchange(const Request& request, const Stage& stage);
  using Clock = std::chrono::steady_clock;
  // What is left of a stage's time.
  struct Allowance {
    std::chrono::milliseconds limit;
    Clock::time_point deadline;     // later by the time that the worker rests
    std::chrono::nanoseconds used;  // CPU time, when it began
    Clock::time_point asked;        // for the last time
    bool rests = false;             // since then
  };
  [[nodiscard]] Allowance allowance_of(std::chrono::milliseconds limit) const;
  [[nodiscard]] bool gives_up(Allowance& left);
  [[nodiscard]] Failure lost(const ChannelError& error, const Stage& stage);

  // Does `work` for this kernel, once more in a new worker if one was lost that others had used, or
  // while it compiled: compilers fall over what other processes do at that moment.
  template <class Work>
  [[nodiscard]] auto in_worker(KernelId id, const Work& work) -> decltype(work());

  [[nodiscard]] Result<void> start_worker();
  [[nodiscard]] Result<void> compile(KernelId id);
  [[nodiscard]] Failure while_compiling(Error error) const;
  // In a buffer, or for comparison only.
  [[nodiscard]] Result<Id> put(const Data& content, bool in_buffer);
  [[nodiscard]] Result<Content> read_back(const Data& content, const Data& likely);
  void drop_unused();
  void drop_forgotten();
  [[nodiscard]] Result<Launch> request_for(KernelId id);
  [[nodiscard]] Result<device::Timing> launch(KernelId id, Launch request);

  Options options_;
  Limits limits_;
  Scratch scratch_;
  std::string program_;
  std::optional<Process> process_;  // ends before the scratch directory goes
  std::optional<Opened> opened_;
  std::uint64_t started_ = 0;
  std::chrono::nanoseconds ended_cpu_time_{};  // of workers that are gone
  Id next_id_ = 1;
  std::map<KernelId, Job> jobs_;
  std::mutex forgetting_;
  std::vector<KernelId> forgotten_;  // under the lock
  // What follows is of the worker at hand, and is lost with it.
  std::set<KernelId> built_;
  std::set<std::pair<KernelId, Extent>> warm_;  // kernels and workgroups that have run
  using Uploaded = std::pair<std::weak_ptr<const std::vector<std::byte>>, Id>;
  std::map<std::pair<const void*, bool>, Uploaded>
      uploaded_;                 // by address, and whether in a buffer
  std::set<KernelId> executed_;  // kernels that have run, and may have damaged it
};

template <class Expected>
Result<Expected> Session::State::call(const Request& request, const Stage& stage) {
  auto answer = exchange(request, stage);
  if (!answer) return Unexpected(answer.error());
  if (auto* expected = std::get_if<Expected>(&*answer)) return std::move(*expected);
  if (const auto* failed = std::get_if<Failed>(&*answer)) {
    // After one failure of the driver its next answers mean nothing.
    if (failed->error.kind == ErrorKind::device) renew();
    return Unexpected(failed->error);
  }
  return lost({ChannelError::Kind::garbage, "it answers another question"}, stage);
}

}  // namespace vyre::worker
