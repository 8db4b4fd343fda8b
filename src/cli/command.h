// One command of the tool: its words in the help, its options, and what it does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/environment.h"
#include "cli/print.h"

// CLI11's headers are large: only files that declare options include them.
namespace CLI {
class App;
}

namespace vyre::cli {

// Runs after the arguments are read. Results go to standard output, messages to standard error.
using Action = std::function<ExitStatus(const Environment&)>;

struct Command {
  std::string name;
  std::string summary;
  std::string example;  // shown by -h: one call per line
  // Adds the options to the command and returns what it does with them.
  std::function<Action(CLI::App&)> declare;
};

// The example as the help shows it.
[[nodiscard]] std::string indented_example(std::string_view lines);

// Every command, in the order of the help.
[[nodiscard]] std::vector<Command> commands();

[[nodiscard]] Command devices_command();
[[nodiscard]] Command doctor_command();
[[nodiscard]] Command check_command();
[[nodiscard]] Command compose_command();
[[nodiscard]] Command run_command();
[[nodiscard]] Command time_command();
[[nodiscard]] Command simulate_command();
[[nodiscard]] Command store_command();
[[nodiscard]] Command tune_command();
[[nodiscard]] Command live_command();

}  // namespace vyre::cli
