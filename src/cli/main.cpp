// The command-line tool: finds the command, reads its arguments, and turns its result into an exit
// status.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <utility>

#include "cli/command.h"
#include "cli/print.h"
#include "cli/store_commands.h"

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

bool is_unknown(const std::vector<Command>& table, std::string_view word) {
  return !word.starts_with('-') && std::ranges::find(table, word, &Command::name) == table.end();
}

ExitStatus refuse_command(const char* word, const char* help) {
  print_message("vyre: there is no command '{}'; `{}` lists them\n", word, help);
  return wrong_call;
}

// CLI11 would say that a command is missing.
ExitStatus run(int argc, const char* const* argv) {
  if (argc > 1 && is_unknown(commands(), argv[1])) return refuse_command(argv[1], "vyre -h");
  if (argc > 2 && argv[1] == std::string_view("store") && is_unknown(store_commands(), argv[2])) {
    return refuse_command(argv[2], "vyre store -h");
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
