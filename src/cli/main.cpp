// The command-line tool: finds the command, reads its arguments, and turns its result into an exit
// status.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <utility>

#include "cli/command.h"
#include "cli/print.h"

namespace vyre::cli {
namespace {

ExitStatus parse_and_run(CLI::App& app, int argc, const char* const* argv) {
  const Environment environment = read_environment();
  ExitStatus status = done;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    sub->footer(indented_example(command.example));
    sub->final_callback(
        [&status, &environment, action = command.declare(*sub)] { status = action(environment); });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has an exit code for every kind of mistake; scripts want one.
    return app.exit(error, std::cout, std::cerr) == 0 ? done : wrong_call;
  }
  return status;
}

ExitStatus run(int argc, const char* const* argv) {
  const auto table = commands();
  if (argc > 1 && argv[1][0] != '-' &&
      std::ranges::find(table, argv[1], &Command::name) == table.end()) {
    print_message("vyre: there is no command '{}'; `vyre -h` lists them\n", argv[1]);
    return wrong_call;
  }
  CLI::App app("vyre: portable GPU kernels that tune themselves", "vyre");
  app.set_version_flag("--version", VYRE_VERSION);
  app.require_subcommand(1);
  app.footer("`vyre COMMAND -h` shows the options and an example of a command.");
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("vyre: {}; `vyre -h` and `vyre COMMAND -h` say more\n", error.what());
  });
  return parse_and_run(app, argc, argv);
}

}  // namespace
}  // namespace vyre::cli

int main(int argc, char** argv) {
  vyre::cli::occupy_closed_streams();
  return vyre::cli::finish_printing(vyre::cli::run(argc, argv));
}
