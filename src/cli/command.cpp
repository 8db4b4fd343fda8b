#include "cli/command.h"

namespace vyre::cli {

std::vector<Command> commands() {
  return {
      devices_command(), doctor_command(), check_command(),   run_command(),      time_command(),
      tune_command(),    live_command(),   compose_command(), simulate_command(), store_command(),
  };
}

std::string indented_example(std::string_view lines) {
  std::string out = "Example:\n  ";
  for (const char c : lines) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

}  // namespace vyre::cli
