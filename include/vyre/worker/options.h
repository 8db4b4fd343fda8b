// How a worker process is started: the process in which kernels are tried, so that one that hangs
// or crashes is the failure of one kernel.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vyre::worker {

struct Options {
  std::string device = "default";  // as device::open takes it
  // The program vyre-worker. If empty it is looked for beside the running program, in
  // ../libexec/vyre from there and from the shared library, in the package that the program was
  // compiled with, and where vyre was configured to be installed.
  std::string program;
  // Where drivers may keep files during the session; a directory is made in it and removed. If
  // empty: the system's temporary directory.
  std::string scratch;
  bool guards = true;  // find writes just outside buffers; off where a simulator does
  std::chrono::milliseconds start_limit{30'000};
  std::chrono::milliseconds build_limit{30'000};  // also for what a driver compiles at a launch
  std::chrono::milliseconds run_limit{10'000};    // from when the device begins
  // Where PoCL keeps what it compiles: with the session, or where it keeps what this program
  // compiles, so that neither has to compile what the other did.
  bool own_cache = true;
  std::vector<std::string> environment;  // NAME=VALUE, for the worker only
  int niceness = 0;                      // added to that of this process
  // The limits are of CPU time, for a worker that has to wait for a core; by the clock they are
  // then ten times as long.
  bool limits_cpu_time = false;
  // Asked some times a second while the worker is busy, with the CPU time that it has used: as long
  // as it is true, the worker stands still, and its limits with it.
  std::function<bool(std::chrono::nanoseconds cpu_time)> rests = {};
  // Once it is true, everything under way ends within moments, with an error.
  std::shared_ptr<const std::atomic<bool>> cancelled = {};
};

namespace detail {

// Names the worker of an installed package, which is looked for if Options::program is empty. From
// any thread; to say it again changes nothing.
bool tell_worker(const char* program) noexcept;
// The same by the path of this header in that package.
bool tell_header(const char* header) noexcept;

// The package says it to everyone who is compiled with it, also after it was moved: by CMake with
// the worker's path, by pkg-config, whose flags cannot quote a path, with this header's.
#if defined(VYRE_PACKAGE_WORKER)
inline const bool told = tell_worker(VYRE_PACKAGE_WORKER);
#elif defined(VYRE_PACKAGE_HEADERS)
inline const bool told = tell_header(__FILE__);
#endif

}  // namespace detail
}  // namespace vyre::worker
