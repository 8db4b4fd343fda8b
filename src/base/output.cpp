#include "base/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>

#include "base/disk.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds reader_patience(2'000);

enum class Kind : unsigned char { file, directory, stream };

// What is not there becomes a file.
Kind kind_of(const fs::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return Kind::file;
  return S_ISDIR(status.st_mode) ? Kind::directory : Kind::stream;
}

Failure is_a_directory(const fs::path& path) {
  errno = EISDIR;
  return io_failure("write", path);
}

// A name beside the file that nobody has.
std::string draft_name(const fs::path& file) {
  static std::atomic<unsigned> made = 0;
  return parent_of(file) / fmt::format(".vyre-{}-{}", ::getpid(), made++);
}

// Without a name as long as that is possible, so that nothing is left of it in a process that is
// killed.
class Draft {
 public:
  explicit Draft(const fs::path& file) : name_(draft_name(file)) {
    const bool can_be_named_later = ::access("/proc/self/fd", X_OK) == 0;
    if (can_be_named_later) {
      descriptor_ = open_file(parent_of(file), O_WRONLY | O_TMPFILE, output_file);
    }
    if (descriptor_.valid()) return;
    descriptor_ = open_file(name_, O_WRONLY | O_CREAT | O_EXCL, output_file);
    has_name_ = descriptor_.valid();
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (has_name_) ::unlink(name_.c_str());
  }

  [[nodiscard]] bool valid() const { return descriptor_.valid(); }

  // Durable, so that a disk that is full says so now.
  [[nodiscard]] bool fill(std::string_view content) const {
    return write_all(descriptor_.number(), content) && ::fsync(descriptor_.number()) == 0;
  }

  [[nodiscard]] bool replace(const fs::path& file) {
    keep_access(descriptor_.number(), file);
    if (!has_name_) {
      const std::string nameless = fmt::format("/proc/self/fd/{}", descriptor_.number());
      has_name_ =
          ::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0;
      if (!has_name_) return false;
    }
    has_name_ = ::rename(name_.c_str(), file.c_str()) != 0;
    return !has_name_;
  }

 private:
  std::string name_;
  Descriptor descriptor_;
  bool has_name_ = false;
};

Result<void> replace(const fs::path& file, std::string_view content) {
  Draft draft(file);
  if (!draft.valid() || !draft.fill(content) || !draft.replace(file)) {
    return io_failure("write", file);
  }
  return {};
}

// Opening a pipe that nobody reads would wait for ever; a reader may be a little late.
Descriptor open_stream(const fs::path& path) {
  constexpr std::chrono::milliseconds pause(5);
  std::error_code none;
  const bool is_pipe = fs::is_fifo(path, none);
  const auto end = std::chrono::steady_clock::now() + reader_patience;
  while (true) {
    Descriptor stream = open_file(path, O_WRONLY | O_NONBLOCK);
    const bool is_unread = !stream.valid() && errno == ENXIO && is_pipe;
    if (!is_unread || std::chrono::steady_clock::now() >= end) return stream;
    std::this_thread::sleep_for(pause);
  }
}

Result<void> write_stream(const fs::path& path, std::string_view content) {
  const Descriptor stream = open_stream(path);
  if (!stream.valid() && errno == ENXIO) {
    return fail(ErrorKind::io, fmt::format("cannot write {}: nobody reads it", path.string()));
  }
  if (!stream.valid() || !make_blocking(stream) || !write_all(stream.number(), content)) {
    return io_failure("write", path);
  }
  return {};
}

// Where a file of this name would be.
std::optional<fs::path> place_of(const fs::path& path) {
  const auto file = follow_links(path);
  if (!file || own_descriptor(*file) || kind_of(*file) != Kind::file) return {};
  std::error_code none;
  const fs::path directory = fs::canonical(parent_of(*file), none);
  return none ? fs::absolute(*file).lexically_normal() : directory / file->filename();
}

}  // namespace

Result<void> write_output(const fs::path& path, std::string_view content) {
  const auto file = follow_links(path);
  if (!file) return Unexpected(file.error());
  if (const auto number = own_descriptor(*file)) {
    if (!write_all(*number, content)) return io_failure("write", path);
    return {};
  }
  switch (kind_of(*file)) {
    case Kind::directory:
      return is_a_directory(path);
    case Kind::stream:
      return write_stream(*file, content);
    case Kind::file:
      return replace(*file, content);
  }
  return {};
}

Result<void> check_output(const fs::path& path) {
  const auto file = follow_links(path);
  if (!file) return Unexpected(file.error());
  if (own_descriptor(*file)) return {};
  const Kind kind = kind_of(*file);
  if (kind == Kind::directory) return is_a_directory(path);
  const fs::path changed = kind == Kind::file ? parent_of(*file) : *file;
  if (::access(changed.c_str(), W_OK) != 0) return io_failure("write", path);
  return {};
}

bool is_same_output(const fs::path& a, const fs::path& b) {
  const auto place = place_of(a);
  return place && place == place_of(b);
}

}  // namespace vyre
