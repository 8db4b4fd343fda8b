// The files of the store, read for a command.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"
#include "store/file.h"
#include "vyre/base/error.h"

namespace vyre::cli {

// Says once where it is if the environment does not name a place.
[[nodiscard]] std::filesystem::path store_directory(const Environment& environment);

// A file that was read, and its adapter: as it says itself, else as it is named.
struct ReadFile {
  std::string adapter;
  store::File file;

  // In the order of programs, sizes and keys.
  [[nodiscard]] std::vector<store::EntryPtr> entries() const;
};
[[nodiscard]] Result<ReadFile> read_store_file(const std::filesystem::path& path,
                                               store::Pipes pipes = store::Pipes::refused);

// All files of the store whose adapter's id contains `adapter`, after messages about what is wrong
// in them. None where a name was given is an error.
[[nodiscard]] Result<std::vector<ReadFile>> read_store(const Environment& environment,
                                                       const std::string& adapter);

// Prints "FILE:LINE:COLUMN: message" for each problem of the file.
void print_problems(const store::File& file);

}  // namespace vyre::cli
