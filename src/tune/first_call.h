// The first call of a kernel for some size, which waits for its compiler: meanwhile a core has
// nothing to do, and what a search will try first can be compiled there.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "tune/family.h"
#include "vyre/ir/size.h"
#include "vyre/space/space.h"

namespace vyre::tune {

struct FirstCall {
  Family family;
  ir::Uniforms uniforms;
  std::vector<std::size_t> bytes;    // of the global buffers
  std::vector<space::Index> starts;  // members to be tried first
};

// One that waits; what changes is under the lock of whoever has it.
struct WaitingCall {
  const FirstCall call;
  const std::chrono::steady_clock::time_point since;
  bool begun = false;  // to prepare for it
  bool ended = false;
};

// What is done for one.
struct Preparation {
  std::shared_ptr<WaitingCall> waiting;
  std::chrono::nanoseconds worker_time{};  // CPU time that the worker has used,
  std::chrono::nanoseconds free_until{};   // up to where nobody else had wanted it
  bool resumed = false;                    // after the call had ended
};

}  // namespace vyre::tune
