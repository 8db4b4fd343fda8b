#include "device/nvcc.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "device/cuda_roots.h"

namespace vyre::device {
namespace {

namespace fs = std::filesystem;

// A directory that is removed with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "vyre-nvcc-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (exists()) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] bool exists() const { return !path_.empty(); }
  [[nodiscard]] std::string file(std::string_view name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The exit status, or -1 if it did not start or did not end by itself.
int run(const std::vector<std::string>& words, const std::string& log) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace

std::optional<std::string> find_nvcc(std::span<const std::string> roots) {
  std::vector<std::string> all(roots.begin(), roots.end());
  for (std::string& root : usual_cuda_roots()) all.push_back(std::move(root));
  all.emplace_back("/usr");
  for (const std::string& root : all) {
    std::string path = root + "/bin/nvcc";
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

Result<std::string> nvcc_ptx(const std::string& nvcc, const std::string& source,
                             std::span<const std::string> options) {
  const TemporaryDirectory folder;
  if (!folder.exists()) return fail(ErrorKind::io, "no temporary directory could be made for nvcc");
  const std::string input = folder.file("vyre.cu");
  const std::string output = folder.file("vyre.ptx");
  if (!(std::ofstream(input) << source).flush()) {
    return fail(ErrorKind::io, fmt::format("cannot write {}", input));
  }
  std::vector<std::string> words = {nvcc, "-ptx", "-o", output, input};
  words.insert(words.end(), options.begin(), options.end());
  const std::string log = folder.file("log");
  if (run(words, log) != 0) {
    return fail(ErrorKind::compile, fmt::format("nvcc refused the source:\n{}", content(log)));
  }
  return content(output);
}

}  // namespace vyre::device
