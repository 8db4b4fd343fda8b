// Runs a program and keeps what it printed, so that faults can be put into its environment.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace vyre::testing {

struct Finished {
  int status = -1;  // exit status; 128 + the signal's number if one ended it
  std::string out;
  std::string err;
};

// The child has this process's environment with `changes` made to it; an empty value unsets.
Finished run_program(const std::vector<std::string>& command,
                     const std::map<std::string, std::string>& changes = {});

// A directory that is removed with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Writes a file in the directory and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  // What a file in the directory holds; nothing if there is none.
  [[nodiscard]] std::string read(const std::string& name) const;
  // The names in it, sorted.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

}  // namespace vyre::testing
