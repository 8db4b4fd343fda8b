// The words of the errors of a run: which statement, which invocation, which numbers.
#pragma once

#include <cstdint>

#include "interpret/batches.h"
#include "interpret/frame.h"
#include "interpret/memory.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::interpret::fault {

[[nodiscard]] Error access(const AccessFault& fault, const Access& access, const Memory& memory,
                           const Batches& batches, Epoch epoch);

// Requires: some invocation of the batch is active and some is not.
[[nodiscard]] Error divergent_barrier(const ir::Stmt& stmt, const Frame& frame,
                                      const Batches& batches);

// Requires: some invocation is active.
[[nodiscard]] Error too_many_steps(const ir::Stmt& stmt, std::uint64_t limit, const Frame& frame,
                                   const Batches& batches);

[[nodiscard]] Error too_many_epochs();

}  // namespace vyre::interpret::fault
