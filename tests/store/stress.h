// What the stress tests of the store share.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace vyre::testing {

// In memory where there is such a directory: the tests save thousands of times, and a real disk
// takes some milliseconds for each. Removed with everything in it.
class QuickDirectory {
 public:
  QuickDirectory() {
    const bool in_memory = access("/dev/shm", W_OK) == 0;
    const auto above =
        in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
    std::string name = above / "vyre-test-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~QuickDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  QuickDirectory(const QuickDirectory&) = delete;
  QuickDirectory& operator=(const QuickDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Runs `work` in a process of its own, which ends with the status that it returns.
template <class Work>
pid_t in_child(const Work& work) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) _exit(work());
  return child;
}

// The status of a child that ended by itself; 128 + the signal's number for another.
inline int status_of(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("cannot wait for a child");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace vyre::testing
