// Kernels run in a process of their own, so that a kernel that hangs, crashes or writes where it
// must not is the failure of one kernel and not of the program that tries it.
//
// A session starts the worker process, which alone opens the device. A worker that hangs is killed
// at the limit; one that dies, closes its channel, answers garbage or meets an error of the device
// is ended. The next call starts another, which gets again what it needs. A failure in a worker
// that ran other kernels before is repeated in a new one before it is believed. Used by one thread
// at a time; workers end with the session, and with the program however that ends.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/worker/options.h"
#include "worker/job.h"

namespace vyre::worker {

// What a buffer held after a run, and a write just outside it if there was one.
struct Content {
  std::vector<std::byte> bytes;  // none if it is what was likely
  std::optional<device::Touched> touched;
  bool is_likely = false;
};

struct Output {
  device::Timing timing;
  std::vector<Content> buffers;  // one per buffer argument, in order
};

// How long a kernel may take; see Options.
struct Limits {
  std::chrono::milliseconds build;
  std::chrono::milliseconds run;
  bool operator==(const Limits&) const = default;
};
[[nodiscard]] inline Limits limits_of(const Options& options) {
  return {.build = options.build_limit, .run = options.run_limit};
}

// Of a kernel that was built in a session, with its arguments.
using KernelId = std::uint64_t;

// Errors of a kernel: compile, with the compiler's log; timeout; run, if it brought the worker
// down; device, if the driver reported a failure; limit, if it needs more than the device has.
// Others are errors of the session: the worker's program or the device is missing, or the system
// has no descriptors or space left.
class Session {
 public:
  // Starts the first worker. Refuses limits of 0.
  [[nodiscard]] static Result<Session> start(Options options);
  Session(Session&& other) noexcept;
  Session& operator=(Session&& other) noexcept;
  ~Session();

  [[nodiscard]] const device::Adapter& adapter() const;
  [[nodiscard]] Language language() const;

  // Compiles the job's kernel and keeps it, with its arguments, until it is forgotten.
  [[nodiscard]] Result<KernelId> build(Job job);
  // From any thread, at any time: the worker frees it before it does the next thing.
  void forget(KernelId id);

  // Restores all buffers, runs once and reads all buffers back. `likely` has what each argument
  // probably holds then, null if nothing is: what does is compared there and not sent. With it only
  // what may be written is restored: who has inputs compared sees what another did to them.
  [[nodiscard]] Result<Output> run(KernelId id, std::span<const Data> likely = {});
  // Runs `launches` times without reading anything back; the times are of all launches together.
  // read_write buffers are restored before each launch, outside the time; if there are none the
  // launches go back to back.
  [[nodiscard]] Result<device::Timing> time(KernelId id, std::uint32_t launches = 1);

  // The same options for another session whose driver shares with this one's what was compiled:
  // kernels that differ in their workgroup only are built once. It must not outlive this one.
  [[nodiscard]] Options sharing_cache() const;

  // For what is compiled and run from now on.
  void set_limits(const Limits& limits);
  // Starts a worker if there is none.
  [[nodiscard]] Result<void> ready();
  // Whether the worker has built this kernel and run it, so that it can be timed at once.
  [[nodiscard]] bool is_warm(KernelId id) const;
  // Whether the worker has run other kernels than this, which may have damaged its memory.
  [[nodiscard]] bool is_used(KernelId id) const;
  // Ends the worker. For one whose memory a kernel may have damaged.
  void renew();

  [[nodiscard]] std::uint64_t started() const;  // workers so far
  // That they used, as far as it is known: of those that crashed it is not.
  [[nodiscard]] std::chrono::nanoseconds cpu_time() const;
  [[nodiscard]] std::optional<pid_t> process() const;  // of the worker, if there is one
  [[nodiscard]] std::string log() const;               // what the worker wrote to standard error

 private:
  class State;
  explicit Session(std::unique_ptr<State> state);
  [[nodiscard]] static Result<Session> start_checked(Options options);
  // Out of memory is an error, after which the next work has a new worker.
  template <class Work>
  [[nodiscard]] auto with_fresh_worker(const Work& work) -> decltype(work());

  std::unique_ptr<State> state_;
};

}  // namespace vyre::worker
