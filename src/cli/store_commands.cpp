#include "cli/store_commands.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>

#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/store_changes.h"
#include "cli/store_text.h"
#include "cli/text.h"
#include "store/directory.h"

namespace vyre::cli {
namespace {

struct StoreOptions {
  std::string adapter;
  std::string key;
  bool json = false;
};

void print_table(const ReadFile& read) {
  const auto entries = read.entries();
  const std::string& device = read.file.header().device;
  print_result("{}{}{}: {}\n", read.adapter, device.empty() ? "" : ", ", device,
               decisions_text(entries.size()));
  std::vector<std::vector<std::string>> rows = {
      {"PROGRAM", "SIZE", "CHOSEN", "TIME", "SPEED-UP", "DATE", "KEY"}};
  for (const store::EntryPtr& entry : entries) {
    const store::Decision& decision = entry->decision;
    const auto& evidence = decision.evidence;
    rows.push_back({program_text(decision), size_text(decision), choice_text(decision),
                    evidence ? time_text(evidence->elapsed.value) : "-", speedup_text(decision),
                    evidence ? store::to_string(evidence->date).substr(0, 10) : "-",
                    to_string(decision.key).substr(0, 15)});
  }
  if (rows.size() > 1) print_result("{}\n", table(rows));
}

ExitStatus list(const StoreOptions& options, const Environment& environment) {
  const auto files = read_store(environment, options.adapter);
  if (!files) return report(files.error());
  if (options.json) {
    write_result(store_json(*files));
    return done;
  }
  for (const ReadFile& read : *files) print_table(read);
  if (files->empty()) {
    print_message("vyre: there are no decisions in {} yet\n",
                  store_directory(environment).string());
  }
  return done;
}

struct Candidate {
  std::string adapter;
  store::EntryPtr entry;
};

std::vector<Candidate> matching(const std::vector<ReadFile>& files, const std::string& key) {
  std::vector<Candidate> found;
  for (const ReadFile& read : files) {
    for (const store::EntryPtr& entry : read.entries()) {
      if (to_string(entry->decision.key).starts_with(key)) found.push_back({read.adapter, entry});
    }
  }
  return found;
}

// A decision may be there for several adapters, but a beginning must not fit several keys.
ExitStatus show(const StoreOptions& options, const Environment& environment) {
  const auto files = read_store(environment, options.adapter);
  if (!files) return report(files.error());
  const auto found = matching(*files, options.key);
  if (found.empty()) {
    return report({ErrorKind::input,
                   fmt::format("no decision has a key that begins with '{}'; `vyre store list` "
                               "shows them",
                               options.key)});
  }
  for (const Candidate& candidate : found) {
    if (candidate.entry->decision.key == found[0].entry->decision.key) continue;
    print_message("vyre: several keys begin with '{}': give more of it\n", options.key);
    return wrong_call;
  }
  for (const Candidate& candidate : found) {
    if (options.json) {
      write_result(store_json(candidate.adapter, candidate.entry->decision));
    } else {
      print_result("# {}\n{}\n", candidate.adapter, candidate.entry->text);
    }
  }
  return done;
}

// Whether all is well with a file; prints what is not.
bool verify_file(const std::filesystem::path& path) {
  const auto read = read_store_file(path);
  if (!read) {
    report(read.error());
    return false;
  }
  print_problems(read->file);
  bool well = read->file.problems().empty();
  if (store::file_name(read->adapter) != path.filename()) {
    print_message("{}: it says that it is of the adapter {}, whose file is {}\n", path.string(),
                  read->adapter, store::file_name(read->adapter));
    well = false;
  }
  print_result("{}: {}, {}\n", path.string(), decisions_text(read->file.entries().size()),
               well ? "all well" : "with problems");
  return well;
}

ExitStatus verify(const StoreOptions&, const Environment& environment) {
  const auto paths = store::files(store_directory(environment));
  if (!paths) return report(paths.error());
  bool well = true;
  for (const std::filesystem::path& path : *paths) well = verify_file(path) && well;
  if (paths->empty()) print_result("{}: no decisions\n", store_directory(environment).string());
  if (well) return done;
  flush_results();
  print_message(
      "vyre: what is wrong is skipped when the store is used; the next save sets such "
      "a file aside and keeps what is well in it\n");
  return check_failed;
}

using Run = ExitStatus (*)(const StoreOptions&, const Environment&);

Action action(const std::shared_ptr<StoreOptions>& options, Run run) {
  return [options, run](const Environment& environment) { return run(*options, environment); };
}

Command list_command() {
  return {
      .name = "list",
      .summary = "All decisions in a table, for every adapter",
      .example = "vyre store list\nvyre store list --adapter pthread --json",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<StoreOptions>();
        app.add_option("--adapter", options->adapter, "only of adapters whose id contains this");
        app.add_flag("--json", options->json, "print everything as JSON, for scripts");
        return action(options, list);
      },
  };
}

Command show_command() {
  return {
      .name = "show",
      .summary = "One decision with everything that is known of it",
      .example = "vyre store show v1-4cb98f1e0522\nvyre store show v1-4cb98f1e0522 --json",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<StoreOptions>();
        app.add_option("key", options->key, "its key, or the beginning of it")->required();
        app.add_option("--adapter", options->adapter, "only of adapters whose id contains this");
        app.add_flag("--json", options->json, "print it as JSON, for scripts");
        return action(options, show);
      },
  };
}

Command verify_command() {
  return {
      .name = "verify",
      .summary = "Check every file; says what is wrong and where",
      .example = "vyre store verify",
      .declare = [](CLI::App&) -> Action {
        return action(std::make_shared<StoreOptions>(), verify);
      },
  };
}

std::string examples(const std::vector<Command>& commands) {
  std::string text;
  for (const Command& command : commands) {
    text += (text.empty() ? "" : "\n") + command.example.substr(0, command.example.find('\n'));
  }
  return text;
}

}  // namespace

std::vector<Command> store_commands() {
  return {list_command(),        show_command(),         verify_command(),
          store_merge_command(), store_export_command(), store_prune_command()};
}

Command store_command() {
  return {
      .name = "store",
      .summary = "Show, check, merge, export and prune the decisions that are kept",
      .example = examples(store_commands()),
      .declare = [](CLI::App& app) -> Action {
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
