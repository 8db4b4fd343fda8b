// `vyre check --races`: the code that a program becomes, run on Oclgrind's simulator, which sees
// races and accesses out of bounds that devices hide.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/print.h"

namespace vyre::cli {

struct RaceOptions {
  std::vector<std::string> files;
  std::vector<std::string> inputs;    // name=description
  std::vector<std::string> uniforms;  // name=value
  std::chrono::milliseconds limit{};  // for one program on the simulator
};

// The program itself is checked first, by the interpreter, whose messages name its statements.
// Sizes that are not given are halved until the simulator can bear them.
[[nodiscard]] ExitStatus check_races(const RaceOptions& options);

}  // namespace vyre::cli
