#include "cli/store_changes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/store_text.h"
#include "store/directory.h"

namespace vyre::cli {
namespace {

// Of all three commands.
struct ChangeOptions {
  std::vector<std::string> files;
  std::string adapter;
  std::string output;
  bool json = false;
  std::optional<double> older_than;  // days
  std::string other_driver;
  bool all = false;
  bool dry_run = false;
};

struct Counts {
  std::size_t added = 0;
  std::size_t replaced = 0;
  std::size_t kept = 0;
};

store::Changes better_ones(const ReadFile& from, const store::Entries& present, Counts& counts) {
  counts = {};
  store::Changes changes;
  for (const store::EntryPtr& entry : from.entries()) {
    const auto old = present.find(entry->decision.key);
    const bool is_new = old == present.end();
    if (!is_new && !better(entry->decision, old->second->decision)) {
      ++counts.kept;
      continue;
    }
    ++(is_new ? counts.added : counts.replaced);
    changes.put.push_back(entry);
  }
  return changes;
}

// Whether all of the file was well.
Result<bool> merge_file(const std::string& path, const std::filesystem::path& directory) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return fail(ErrorKind::input, fmt::format("there is no file {}", path));
  }
  const auto from = read_store_file(path, store::Pipes::read);
  if (!from) return Unexpected(from.error());
  print_problems(from->file);
  // It may be anything: nothing of it is to be seen in the store.
  if (from->file.entries().empty()) {
    if (!from->file.problems().empty()) return false;
    return fail(ErrorKind::input, fmt::format("there are no decisions in {}", path));
  }
  store::File into(directory / store::file_name(from->adapter),
                   {from->adapter, from->file.header().device});
  Counts counts;
  const auto saved = into.update(
      [&](const store::Entries& present) { return better_ones(*from, present, counts); });
  if (!saved) return Unexpected(saved.error());
  print_result("{}: {} added, {} replaced by better evidence, {} kept as they were, for {}\n", path,
               counts.added, counts.replaced, counts.kept, from->adapter);
  for (const std::string& note : notes(*saved)) print_message("vyre: {}\n", note);
  return from->file.problems().empty();
}

ExitStatus merge(const ChangeOptions& options, const Environment& environment) {
  ExitStatus status = done;
  for (const std::string& path : options.files) {
    const auto merged = merge_file(path, store_directory(environment));
    if (!merged) return report(merged.error());
    if (!*merged) status = check_failed;
  }
  return status;
}

Result<std::string> export_text(const ChangeOptions& options, const std::vector<ReadFile>& files) {
  if (options.json) return store_json(files);
  if (files.size() != 1) {
    std::string message = fmt::format(
        "a TOML file is of one adapter, and here are {}: choose with --adapter, or use --json",
        files.size());
    for (const ReadFile& read : files) message += "\n  " + read.adapter;
    return fail(ErrorKind::input, message);
  }
  store::Document document = files[0].file.document();
  document.header.adapter = files[0].adapter;
  return write(document);
}

ExitStatus export_decisions(const ChangeOptions& options, const Environment& environment) {
  const auto files = read_store(environment, options.adapter);
  if (!files) return report(files.error());
  const auto text = export_text(options, *files);
  if (!text) return report(text.error());
  if (options.output.empty()) {
    // Comments in a store's file may be anything; a file or a pipe gets them as they are.
    write_result(isatty(STDOUT_FILENO) == 1 ? printable(*text) : *text);
    return done;
  }
  const auto written = write_file(options.output, *text);
  return written ? done : report(written.error());
}

// The time before which a decision is too old.
std::chrono::sys_seconds limit_of(double age_in_days) {
  using namespace std::chrono;
  const auto age = duration_cast<seconds>(duration<double, days::period>(age_in_days));
  return floor<seconds>(system_clock::now()) - age;
}

// One without evidence has neither a date nor a driver: it goes only with --all.
bool is_due(const store::Decision& decision, const ChangeOptions& options) {
  if (options.all) return true;
  if (!decision.evidence) return false;
  const store::Evidence& evidence = *decision.evidence;
  if (options.older_than && evidence.date < limit_of(*options.older_than)) return true;
  return !options.other_driver.empty() && evidence.driver != options.other_driver;
}

std::vector<store::Key> due(const store::Entries& entries, const ChangeOptions& options) {
  std::vector<store::Key> keys;
  for (const auto& [key, entry] : entries) {
    if (is_due(entry->decision, options)) keys.push_back(key);
  }
  return keys;
}

void print_dry_run(const ReadFile& read, const ChangeOptions& options) {
  for (const store::EntryPtr& entry : read.entries()) {
    const store::Decision& decision = entry->decision;
    if (!is_due(decision, options)) continue;
    print_result("{} {} ({})\n", to_string(decision.key), program_text(decision),
                 size_text(decision));
  }
}

Result<std::size_t> prune_file(const ReadFile& read, const ChangeOptions& options) {
  store::File file(read.file.path(), {read.adapter, read.file.header().device});
  std::size_t count = 0;
  const auto saved = file.update([&](const store::Entries& entries) {
    store::Changes changes{.put = {}, .removed = due(entries, options)};
    count = changes.removed.size();
    return changes;
  });
  if (!saved) return Unexpected(saved.error());
  for (const std::string& note : notes(*saved)) print_message("vyre: {}\n", note);
  return count;
}

ExitStatus prune(const ChangeOptions& options, const Environment& environment) {
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

Command store_merge_command() {
  return {
      .name = "merge",
      .summary =
          "Take over decisions from files of other machines. Where there is one already, the full "
          "form beats the short one, then the faster if the intervals do not overlap, then more "
          "samples, then the newer",
      .example = "vyre store merge from-the-lab.toml\nvyre store merge exported/*.toml",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<ChangeOptions>();
        app.add_option("files", options->files, "files of a store, or exported as TOML")
            ->required();
        return [options](const Environment& environment) { return merge(*options, environment); };
      },
  };
}

Command store_export_command() {
  return {
      .name = "export",
      .summary = "Decisions for another machine or a script, to standard output or a file",
      .example = "vyre store export --adapter pthread --output lab.toml\nvyre store export --json",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<ChangeOptions>();
        app.add_option("--adapter", options->adapter, "of the adapter whose id contains this");
        app.add_option("--output", options->output, "write to this file");
        app.add_flag("--json", options->json, "JSON, of all adapters; merge reads only TOML");
        return [options](const Environment& environment) {
          return export_decisions(*options, environment);
        };
      },
  };
}

Command store_prune_command() {
  return {
      .name = "prune",
      .summary = "Remove decisions by age, driver or adapter",
      .example =
          "vyre store prune --older-than 90 --dry-run\n"
          "vyre store prune --adapter pthread --other-driver '3.1 (OpenCL 3.0)'\n"
          "vyre store prune --adapter old-gpu --all",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<ChangeOptions>();
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
