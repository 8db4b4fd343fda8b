#include "worker/scratch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/disk.h"

namespace vyre::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "vyre-worker-";
// What a lock file holds, so that only directories of vyre's own are swept.
constexpr std::string_view marker = "scratch directory of vyre-worker\n";

// A descriptor that holds the directory's lock, or -1. The system frees the lock however the
// process ends.
int take_lock(const fs::path& directory, int more_flags) {
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const int lock = open((directory / "lock").c_str(), flags | more_flags, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0) {
    close(lock);
    errno = EWOULDBLOCK;
    return -1;
  }
  return lock;
}

bool is_own(const struct stat& status) { return status.st_uid == geteuid(); }

// A directory that only this user can look into, not a link to one.
bool is_own_directory(const fs::path& directory) {
  constexpr mode_t of_others = 077;
  struct stat status = {};
  return lstat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_own(status) &&
         (status.st_mode & of_others) == 0;
}

// As a session leaves it that was killed before it could write the marker.
bool holds_nothing(const fs::path& directory) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(directory, failed)) {
    std::error_code no_size;
    if (entry.path().filename() != "lock" || fs::file_size(entry.path(), no_size) != 0)
      return false;
  }
  return !failed;
}

bool is_marked(int lock) {
  struct stat status = {};
  if (fstat(lock, &status) != 0 || !S_ISREG(status.st_mode) || !is_own(status)) return false;
  std::array<char, marker.size()> found{};
  const ssize_t count = pread(lock, found.data(), found.size(), 0);
  return count == static_cast<ssize_t>(marker.size()) &&
         std::string_view(found.data(), found.size()) == marker;
}

// One that was made just now may not have its lock yet.
bool is_old(const fs::path& directory) {
  using namespace std::chrono_literals;
  std::error_code failed;
  const auto made = fs::last_write_time(directory, failed);
  return !failed && fs::file_time_type::clock::now() - made > 1min;
}

void sweep(const fs::path& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (entry.path().filename().string().starts_with(prefix) && is_old(entry.path())) {
      remove_abandoned(entry.path());
    }
  }
}

}  // namespace

void remove_abandoned(const fs::path& directory) {
  if (!directory.filename().string().starts_with(prefix) || !is_own_directory(directory)) return;
  const int lock = take_lock(directory, 0);
  if (lock < 0 && errno != ENOENT) return;
  std::error_code ignored;
  if (is_marked(lock) || holds_nothing(directory)) fs::remove_all(directory, ignored);
  if (lock >= 0) close(lock);
}

Result<Scratch> Scratch::make(const fs::path& parent) {
  std::error_code failed;
  const fs::path place = parent.empty() ? fs::temp_directory_path(failed) : parent;
  if (failed) return fail(ErrorKind::io, "there is no temporary directory: " + failed.message());
  sweep(place);
  std::string name = place / (std::string(prefix) + "XXXXXX");
  if (mkdtemp(name.data()) == nullptr) {
    return fail(ErrorKind::io, fmt::format("cannot make a directory in '{}': {}", place.string(),
                                           std::strerror(errno)));
  }
  const int lock = take_lock(name, O_CREAT | O_EXCL);
  if (lock < 0 || !write_all(lock, marker)) {
    const int why = errno;
    if (lock >= 0) close(lock);
    std::error_code ignored;
    fs::remove_all(name, ignored);
    return fail(ErrorKind::io,
                fmt::format("cannot make a file in '{}': {}", place.string(), std::strerror(why)));
  }
  return Scratch(name, lock);
}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

bool Scratch::is_full() const {
  constexpr std::uintmax_t little = 4U << 20U;
  std::error_code failed;
  const fs::space_info space = fs::space(path_, failed);
  return !failed && space.available < little;
}

Scratch::~Scratch() {
  if (lock_ < 0) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

}  // namespace vyre::worker
