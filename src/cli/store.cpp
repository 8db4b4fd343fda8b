// `vyre store`: what is in the decision store, and keeping it in order.
#include <fmt/format.h>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/store_commands.h"

namespace vyre::cli {
namespace {

std::string examples(const std::vector<Command>& commands) {
  std::string text;
  for (const Command& command : commands) {
    text += (text.empty() ? "" : "\n") + command.example.substr(0, command.example.find('\n'));
  }
  return text;
}

}  // namespace

Command store_command() {
  return {
      .name = "store",
      .summary = "Show, check, merge, export and prune the decisions that are kept",
      .example = examples(store_commands()),
      .declare = [](CLI::App& app) -> Action {
        // CLI11 ends the subcommand first, so that the action is known when the command runs.
        const auto chosen = std::make_shared<Action>();
        app.require_subcommand(1);
        for (const Command& command : store_commands()) {
          CLI::App* sub = app.add_subcommand(command.name, command.summary);
          sub->footer(indented_example(command.example));
          sub->final_callback([chosen, action = command.declare(*sub)] { *chosen = action; });
        }
        return [chosen](const Environment& environment) { return (*chosen)(environment); };
      },
  };
}

}  // namespace vyre::cli
