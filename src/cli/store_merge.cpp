// `vyre store merge` and `export`: decisions from and for other machines.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <fstream>
#include <memory>

#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/store_commands.h"
#include "vyre/store/directory.h"

namespace vyre::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string adapter;
  std::string output;
  bool json = false;
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
  const auto from = read_store_file(path);
  if (!from) return std::unexpected(from.error());
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
  if (!saved) return std::unexpected(saved.error());
  print_result("{}: {} added, {} replaced by better evidence, {} kept as they were, for {}\n", path,
               counts.added, counts.replaced, counts.kept, from->adapter);
  for (const std::string& note : notes(*saved)) print_message("vyre: {}\n", note);
  return from->file.problems().empty();
}

ExitStatus merge(const Options& options, const Environment& environment) {
  ExitStatus status = done;
  for (const std::string& path : options.files) {
    const auto merged = merge_file(path, store_directory(environment));
    if (!merged) return report(merged.error());
    if (!*merged) status = check_failed;
  }
  return status;
}

Result<std::string> export_text(const Options& options, const std::vector<ReadFile>& files) {
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

ExitStatus export_decisions(const Options& options, const Environment& environment) {
  const auto files = read_store(environment, options.adapter);
  if (!files) return report(files.error());
  const auto text = export_text(options, *files);
  if (!text) return report(text.error());
  if (options.output.empty()) {
    write_result(*text);
    return done;
  }
  std::ofstream out(options.output, std::ios::binary);
  out << *text << std::flush;
  if (out) return done;
  return report({ErrorKind::io, fmt::format("cannot write '{}'", options.output)});
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
        const auto options = std::make_shared<Options>();
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
        const auto options = std::make_shared<Options>();
        app.add_option("--adapter", options->adapter, "of the adapter whose id contains this");
        app.add_option("--output", options->output, "write to this file");
        app.add_flag("--json", options->json, "JSON, of all adapters; merge reads only TOML");
        return [options](const Environment& environment) {
          return export_decisions(*options, environment);
        };
      },
  };
}

}  // namespace vyre::cli
