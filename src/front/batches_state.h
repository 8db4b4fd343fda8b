// The handle's side of batches: the loop and its thread, which ends with the last handle.
#pragma once

#include <memory>
#include <thread>

#include "base/clock.h"
#include "front/batch_loop.h"

namespace vyre::detail {

class BatchesState {
 public:
  // The clock must outlive the last handle.
  static Result<std::shared_ptr<BatchesState>> make(std::shared_ptr<KernelState> kernel,
                                                    const BatchOptions& options, Clock& clock);
  BatchesState(std::shared_ptr<BatchLoop> loop, std::thread thread)
      : loop_(std::move(loop)), thread_(std::move(thread)) {}
  BatchesState(const BatchesState&) = delete;
  BatchesState& operator=(const BatchesState&) = delete;
  ~BatchesState();

  [[nodiscard]] BatchLoop& loop() { return *loop_; }

 private:
  std::shared_ptr<BatchLoop> loop_;  // the thread has it too
  std::thread thread_;
};

}  // namespace vyre::detail
