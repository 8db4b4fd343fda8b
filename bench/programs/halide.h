// Programs of the set by Halide, as halide_peer.py has compiled them: with the fastest schedule
// that its autoschedulers gave, in a shared object that is loaded here, so that all peers can take
// turns in one process.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "arguments.h"
#include "vyre/base/error.h"

namespace vyre::bench {

class Halide {
 public:
  // Compiles it if that was not done before, which takes a minute. The error says why there is
  // none.
  [[nodiscard]] static Result<Halide> load(std::string_view program);
  // Requires: the sizes are those of the program's text.
  void run(const Arguments& arguments) const;
  // "Adams2019"
  [[nodiscard]] const std::string& schedule() const { return schedule_; }

 private:
  std::shared_ptr<void> library_;  // copies share its threads
  int (*run_)(void* const* inputs, void* const* outputs) = nullptr;
  std::string schedule_;
};

}  // namespace vyre::bench
