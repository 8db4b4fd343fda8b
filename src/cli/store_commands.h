// The commands below `vyre store`, and what they share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"
#include "store/file.h"
#include "vyre/base/error.h"

namespace vyre::cli {

[[nodiscard]] std::vector<Command> store_commands();

[[nodiscard]] Command store_list_command();
[[nodiscard]] Command store_show_command();
[[nodiscard]] Command store_verify_command();
[[nodiscard]] Command store_merge_command();
[[nodiscard]] Command store_export_command();
[[nodiscard]] Command store_prune_command();

// Says once where it is if the environment does not name a place.
[[nodiscard]] std::filesystem::path store_directory(const Environment& environment);

// A file that was read, and its adapter: as it says itself, else as it is named.
struct ReadFile {
  std::string adapter;
  store::File file;

  // In the order of programs, sizes and keys.
  [[nodiscard]] std::vector<store::EntryPtr> entries() const;
};
[[nodiscard]] Result<ReadFile> read_store_file(const std::filesystem::path& path);

// All files of the store whose adapter's id contains `adapter`, after messages about what is wrong
// in them. None where a name was given is an error.
[[nodiscard]] Result<std::vector<ReadFile>> read_store(const Environment& environment,
                                                       const std::string& adapter);

// Prints "FILE:LINE:COLUMN: message" for each problem of the file.
void print_problems(const store::File& file);

// "1 decision", "2 decisions".
[[nodiscard]] std::string decisions_text(std::size_t count);

// Of a decision, for people: "1024x1x1, 4 MiB", "4x64x1 tile=16", "2.95".
[[nodiscard]] std::string program_text(const store::Decision& decision);
[[nodiscard]] std::string size_text(const store::Decision& decision);
[[nodiscard]] std::string choice_text(const store::Decision& decision);
[[nodiscard]] std::string speedup_text(const store::Decision& decision);

// The decisions of these files as JSON: {"adapters": [{"adapter", "device", "decisions": [...]}]}.
[[nodiscard]] std::string store_json(const std::vector<ReadFile>& files);
[[nodiscard]] std::string store_json(const std::string& adapter, const store::Decision& decision);

}  // namespace vyre::cli
