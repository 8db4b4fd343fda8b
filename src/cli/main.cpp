// The command-line tool: finds the command, reads its arguments, and turns its result into an exit
// status.
#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/print.h"
#include "cli/store_commands.h"

namespace vyre::cli {
namespace {

// The options that no command knows, as they stand in the call.
std::string unknown_options(const CLI::App& app) {
  std::string list;
  for (const std::string& word : app.remaining(true)) {
    if (word.starts_with('-') && word != "-") list += (list.empty() ? "" : " ") + word;
  }
  return list;
}

// A call that is wrong in several ways is told of what is surely wrong first. CLI11 would say that
// the file is missing where an option is misspelled.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
  const std::string unknown = unknown_options(app);
  if (unknown.empty()) return error.what();
  std::string command = "vyre";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    command += " " + at->get_name();
  }
  return fmt::format("{} has no option {}", command, unknown);
}

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
    // Help and version are such errors too.
    if (error.get_exit_code() == 0) {
      app.exit(error, std::cout, std::cerr);
      return done;
    }
    // CLI11 has an exit code for every kind of mistake; scripts want one.
    print_message("vyre: {}; `vyre -h` and `vyre COMMAND -h` say more\n",
                  what_is_wrong(app, error));
    return wrong_call;
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
  return parse_and_run(app, argc, argv);
}

constexpr ExitStatus out_of_memory = wrong_call;  // as of any call that asks for too much

// Before anything is opened or started.
void set_up_process() {
  vyre::explain_lack_of_memory("vyre", out_of_memory);
  // A file that may not grow further is an error where it is written.
  std::signal(SIGXFSZ, SIG_IGN);
  // Nothing that is made here, by a driver too, is for all to change.
  const mode_t mask = ::umask(0);
  ::umask(mask | S_IWOTH);
}

}  // namespace
}  // namespace vyre::cli

int main(int argc, char** argv) {
  using namespace vyre::cli;
  occupy_closed_streams();
  set_up_process();
  ExitStatus status = done;
  try {
    status = run(argc, argv);
  } catch (const std::bad_alloc&) {
    print_message("vyre: {}\n", vyre::out_of_memory_text);
    status = out_of_memory;
  } catch (const std::length_error&) {
    print_message("vyre: {}\n", vyre::out_of_memory_text);
    status = out_of_memory;
  } catch (const std::system_error& error) {
    print_message("vyre: {}: the system has no room for it; see `ulimit -a`\n", error.what());
    status = check_failed;
  }
  return finish_printing(status);
}
