// Runs a tape: every batch from the first step to the last, in lock step under a stack of masks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpret/batches.h"
#include "interpret/frame.h"
#include "interpret/interpret.h"
#include "interpret/memory.h"
#include "interpret/shadow.h"
#include "interpret/tape.h"
#include "vyre/base/error.h"

namespace vyre::interpret {

class Machine {
 public:
  // `memories` has one entry per buffer of the program.
  Machine(const Tape& tape, std::span<Memory> memories, Batches batches, const Options& options);

  [[nodiscard]] Result<Ran> run();

 private:
  [[nodiscard]] bool next_batch();
  void run_batch();
  [[nodiscard]] bool begin_epoch();
  void fill_constants();
  void fill_ids();

  // Each returns the step to go on with, which lies past the end where failure_ was set.
  using Next = StepIndex;
  Next step(const Compute& s, StepIndex next);
  Next step(const Load& s, StepIndex next);
  Next step(const Store& s, StepIndex next);
  Next step(const AtomicAdd& s, StepIndex next);
  Next step(const Charge& s, StepIndex next);
  Next step(const EnterIf& s, StepIndex next);
  Next step(const EnterElse& s, StepIndex next);
  Next step(const EnterLoop& s, StepIndex next);
  Next step(const TestLoop& s, StepIndex next);
  Next step(const Break& s, StepIndex next);
  Next step(const Jump& s, StepIndex next);
  Next step(const Leave& s, StepIndex next);
  Next step(const Barrier& s, StepIndex next);

  Next stop(Error error);
  Next after(const std::optional<AccessFault>& found, const Access& access, StepIndex next);
  Next charge(std::uint32_t cost, const ir::Stmt& stmt, StepIndex next);
  // Makes `mask`, filled in over the span of `outer`, the active one.
  void activate(Column mask, const Active& outer);

  const Tape& tape_;
  std::span<Memory> memories_;
  Batches batches_;
  Options options_;
  std::uint64_t steps_ = 0;
  Frame frame_;
  Epoch epoch_;
  std::vector<Active> enclosing_;
  std::optional<Error> failure_;
};

}  // namespace vyre::interpret
