// One candidate from source to verdict in a worker: prepared (built and verified), then measured.
// The two are apart because candidates may be prepared side by side but must be measured alone.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "measure/repeat.h"
#include "trial/candidate.h"
#include "trial/outcome.h"
#include "vyre/base/error.h"
#include "worker/session.h"

namespace vyre::trial {

struct EvaluateOptions {
  measure::RepeatOptions repeat;
  // What is compared, in place of basis_for the device. Wall time for kernels that use different
  // numbers of cores, which CPU time does not see.
  std::optional<measure::Basis> basis;
  // What reaches the time limit while others use the cores too is tried once more, alone.
  bool again_if_crowded = true;
  // Oclgrind's driver (liboclgrind-rt-icd.so): the kernel runs once on its simulator before it is
  // timed. Empty: it does not. A kernel too slow for the simulator's limit passes.
  std::string oclgrind;
  worker::Options oclgrind_worker;  // how that worker is started
};

// What is compared on this device: CPU time where the device is the CPU, else the device's own.
[[nodiscard]] measure::Basis basis_for(const device::Adapter& adapter);

// A candidate whose kernel stays built in its session as long as this lives. The session must
// outlive it, and is used by one thread at a time.
class Evaluated {
 public:
  Evaluated(worker::Session& session, std::string name, Outcome outcome,
            std::optional<worker::KernelId> kernel);
  Evaluated(Evaluated&& other) noexcept;
  Evaluated& operator=(Evaluated&& other) noexcept;
  ~Evaluated();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Outcome& outcome() const { return outcome_; }
  // The first measurement of what was prepared; nothing to do if that failed. A failure of the
  // candidate becomes its verdict.
  [[nodiscard]] Result<void> measure(const EvaluateOptions& options, Clock& clock);
  // Counts one launch of it that is over as its first measurement.
  void take(const device::Timing& launch, const EvaluateOptions& options);
  void set_outcome(Outcome outcome) { outcome_ = std::move(outcome); }
  // One more sample of a correct candidate.
  [[nodiscard]] Result<measure::Sample> sample(std::uint32_t launches);

 private:
  // The verdict, if the error is the candidate's.
  [[nodiscard]] Result<void> fail_with(const Error& error);

  worker::Session* session_;
  std::string name_;
  Outcome outcome_;
  std::optional<worker::KernelId> kernel_;
};

// Built and verified, not measured. Errors are those of the run, not of the candidate (see
// verdict_of).
[[nodiscard]] Result<Evaluated> prepare(worker::Session& session, const Candidate& candidate,
                                        const EvaluateOptions& options, Clock& clock);

// Prepared and measured.
[[nodiscard]] Result<Evaluated> evaluate(worker::Session& session, const Candidate& candidate,
                                         const EvaluateOptions& options = {},
                                         Clock& clock = steady_clock());

}  // namespace vyre::trial
