// A temporary directory that is removed with everything in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace vyre::bench {

class Directory {
 public:
  Directory() : path_(std::filesystem::temp_directory_path() / "vyre-bench-XXXXXX") {
    std::string name = path_.string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace vyre::bench
