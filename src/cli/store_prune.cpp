// `vyre store prune`: removes decisions that are too old or of no use any more.

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/store_commands.h"

namespace vyre::cli {
namespace {

struct Options {
  std::optional<double> older_than;  // days
  std::string other_driver;
  std::string adapter;
  bool all = false;
  bool dry_run = false;
};

// The time before which a decision is too old.
std::chrono::sys_seconds limit_of(double age_in_days) {
  using namespace std::chrono;
  const auto age = duration_cast<seconds>(duration<double, days::period>(age_in_days));
  return floor<seconds>(system_clock::now()) - age;
}

// One without evidence has neither a date nor a driver: it goes only with --all.
bool is_due(const store::Decision& decision, const Options& options) {
  if (options.all) return true;
  if (!decision.evidence) return false;
  const store::Evidence& evidence = *decision.evidence;
  if (options.older_than && evidence.date < limit_of(*options.older_than)) return true;
  return !options.other_driver.empty() && evidence.driver != options.other_driver;
}

std::vector<store::Key> due(const store::Entries& entries, const Options& options) {
  std::vector<store::Key> keys;
  for (const auto& [key, entry] : entries) {
    if (is_due(entry->decision, options)) keys.push_back(key);
  }
  return keys;
}

void print_dry_run(const ReadFile& read, const Options& options) {
  for (const store::EntryPtr& entry : read.entries()) {
    const store::Decision& decision = entry->decision;
    if (!is_due(decision, options)) continue;
    print_result("{} {} ({})\n", to_string(decision.key), program_text(decision),
                 size_text(decision));
  }
}

Result<std::size_t> prune_file(const ReadFile& read, const Options& options) {
  store::File file(read.file.path(), {read.adapter, read.file.header().device});
  std::size_t count = 0;
  const auto saved = file.update([&](const store::Entries& entries) {
    store::Changes changes{.put = {}, .removed = due(entries, options)};
    count = changes.removed.size();
    return changes;
  });
  if (!saved) return std::unexpected(saved.error());
  for (const std::string& note : notes(*saved)) print_message("vyre: {}\n", note);
  return count;
}

ExitStatus prune(const Options& options, const Environment& environment) {
  if (!options.all && !options.older_than && options.other_driver.empty()) {
    return report({ErrorKind::input,
                   "say what to remove: --older-than DAYS, --other-driver VERSION or --all"});
  }
  const auto files = read_store(environment, options.adapter);
  if (!files) return report(files.error());
  for (const ReadFile& read : *files) {
    if (options.dry_run) print_dry_run(read, options);
    const auto count = options.dry_run
                           ? Result<std::size_t>(due(read.file.entries(), options).size())
                           : prune_file(read, options);
    if (!count) return report(count.error());
    print_result("{}: {} of {} {}\n", read.adapter, *count,
                 decisions_text(read.file.entries().size()),
                 options.dry_run ? "would be removed" : "removed");
  }
  return done;
}

}  // namespace

Command store_prune_command() {
  return {
      .name = "prune",
      .summary = "Remove decisions by age, driver or adapter",
      .example =
          "vyre store prune --older-than 90 --dry-run\n"
          "vyre store prune --adapter pthread --other-driver '3.1 (OpenCL 3.0)'\n"
          "vyre store prune --adapter old-gpu --all",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<Options>();
        app.add_option("--older-than", options->older_than, "those of more than so many days")
            ->check(CLI::Range(0.0, 1e6));
        app.add_option("--other-driver", options->other_driver,
                       "those that were measured with another driver than this version");
        app.add_option("--adapter", options->adapter, "only of adapters whose id contains this");
        app.add_flag("--all", options->all, "all of them");
        app.add_flag("--dry-run", options->dry_run, "only show what would be removed");
        return [options](const Environment& environment) { return prune(*options, environment); };
      },
  };
}

}  // namespace vyre::cli
