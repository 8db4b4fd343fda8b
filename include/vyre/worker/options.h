// How a worker process is started: the process in which kernels are tried, so that one that hangs
// or crashes is the failure of one kernel.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace vyre::worker {

struct Options {
  std::string device = "default";  // as device::open takes it
  // The program vyre-worker. If empty: beside the running program, in ../libexec/vyre from there,
  // or where vyre was installed.
  std::string program;
  // Where drivers may keep files during the session; a directory is made in it and removed. If
  // empty: the system's temporary directory.
  std::string scratch;
  bool guards = true;  // find writes just outside buffers; off where a simulator does
  std::chrono::milliseconds start_limit{30'000};
  std::chrono::milliseconds build_limit{30'000};  // also for what a driver compiles at a launch
  std::chrono::milliseconds run_limit{10'000};    // from when the device begins
  std::vector<std::string> environment;           // NAME=VALUE, for the worker only
};

}  // namespace vyre::worker
