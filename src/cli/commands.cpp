// The table of commands.
#include "cli/command.h"

namespace vyre::cli {

std::vector<Command> commands() {
  return {
      devices_command(), doctor_command(), check_command(),
      run_command(),     time_command(),   simulate_command(),
  };
}

}  // namespace vyre::cli
