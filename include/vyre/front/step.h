// Calls that were recorded to be run again and again: checked and bound once, then enqueued back to
// back.
//
//   auto step = gpu.record([&] { normalise(x, a), gemm(a, b, c), relu(c); });
//   step.run(1000);
//
// A handle, like a Kernel. The arrays live as long as it does; uniforms have the values that they
// had when it was recorded.
#pragma once

#include <cstddef>
#include <memory>

#include "vyre/base/error.h"
#include "vyre/front/event.h"

namespace vyre {

namespace detail {
class Recording;
}

class Step {
 public:
  Step() = default;  // of no calls
  explicit Step(std::shared_ptr<detail::Recording> recording) : recording_(std::move(recording)) {}

  // Enqueues all calls, so many times, in their order; the event is that of the last.
  Event run(std::size_t times = 1) const;
  // What was refused while it was recorded; run() enqueues nothing then.
  [[nodiscard]] Result<void> check() const;
  [[nodiscard]] std::size_t calls() const;

 private:
  std::shared_ptr<detail::Recording> recording_;
};

}  // namespace vyre
