// Ctrl-C as a request to stop, not as an end: a long run looks at it and keeps what it has.
#pragma once

namespace vyre::cli {

// While it lives, the first SIGINT or SIGTERM is only noted; the second ends the program as usual.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] bool requested() const;
};

}  // namespace vyre::cli
