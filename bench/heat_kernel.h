// The heat equation on the front door: the program, a context with a store of its own, and steps.
#pragma once

#include <cstddef>
#include <vector>

#include "directory.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/vyre.h"

namespace vyre::bench {

[[nodiscard]] ir::Program heat_program();

// Warm, with one hot point: nothing that spreads into zeros, whose denormal numbers are slow.
[[nodiscard]] std::vector<float> heat_start(std::size_t n);

class Heat {
 public:
  // An n x n field, tuned for so long.
  [[nodiscard]] static Result<Heat> make(std::size_t n, std::chrono::seconds budget);

  // Enqueues so many steps and waits for them.
  [[nodiscard]] Result<void> run(int steps);
  [[nodiscard]] std::string configuration() const { return kernel_.configuration(); }

 private:
  Context gpu_;
  Kernel<const float, float> kernel_;
  Array<float> u_, v_;
};

}  // namespace vyre::bench
