#include "store/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "base/input.h"

namespace vyre::store {
namespace {

constexpr int most_set_aside = 100;
constexpr std::chrono::microseconds shortest_wait(100);
constexpr std::chrono::microseconds longest_wait(5'000);

// Some file systems have no second names; there it is moved.
bool give_name(const std::filesystem::path& path, const std::filesystem::path& name) {
  if (::link(path.c_str(), name.c_str()) == 0) return true;
  if (errno == EEXIST || (errno != EPERM && errno != EOPNOTSUPP)) return false;
  return ::access(name.c_str(), F_OK) != 0 && ::rename(path.c_str(), name.c_str()) == 0;
}

Result<Content> read_pipe(const std::filesystem::path& path, std::size_t most) {
  const auto pipe = open_input(path);
  if (!pipe) {
    return fail(ErrorKind::io, fmt::format("cannot open {}: {}", path.string(), pipe.error()));
  }
  auto text = read_up_to(*pipe, most + 1);
  if (!text) return io_failure("read", path);
  const bool is_cut = text->size() > most;
  text->resize(std::min(text->size(), most));
  return Content{.text = *std::move(text), .stamp = Stamp{}, .is_cut = is_cut};
}

}  // namespace

Result<Content> read_file(const std::filesystem::path& path, std::size_t most, Pipes pipes) {
  std::error_code none;
  if (pipes == Pipes::read && std::filesystem::is_fifo(path, none)) return read_pipe(path, most);
  // Not to wait for the other end of what is no file.
  const Descriptor file = open_file(path, O_RDONLY | O_NONBLOCK);
  if (!file.valid() && (errno == ENOENT || errno == ENOTDIR)) return Content{};
  struct stat status = {};
  if (!file.valid() || ::fstat(file.number(), &status) != 0) return io_failure("open", path);
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorKind::io, fmt::format("{} is not a file", path.string()));
  }
  Content content{.text = {}, .stamp = stamp_from(status)};
  content.is_cut = content.stamp->size > most;
  content.text.resize(std::min<std::size_t>(content.stamp->size, most));
  std::size_t done = 0;
  while (done < content.text.size()) {
    const ssize_t count =
        ::read(file.number(), content.text.data() + done, content.text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return io_failure("read", path);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  content.text.resize(done);
  return content;
}

std::optional<Stamp> stamp_of(const std::filesystem::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return stamp_from(status);
}

Result<std::filesystem::path> set_aside(const std::filesystem::path& path) {
  for (int i = 1; i <= most_set_aside; ++i) {
    std::filesystem::path name = fmt::format("{}.damaged-{}", path.string(), i);
    if (give_name(path, name)) return name;
    if (errno != EEXIST) return io_failure("set aside", path);
  }
  return fail(
      ErrorKind::io,
      fmt::format("cannot set {} aside: there are {} damaged ones already; look at them and "
                  "delete them",
                  path.string(), most_set_aside));
}

void take_back(const std::filesystem::path& aside, const std::filesystem::path& path) {
  if (::link(aside.c_str(), path.c_str()) == 0 || errno == EEXIST) ::unlink(aside.c_str());
}

Result<void> make_directory(const std::filesystem::path& path) {
  struct stat status = {};
  if (path.empty() || (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))) return {};
  const std::filesystem::path parent = parent_of(path);
  if (auto made = make_directory(parent == path ? "" : parent); !made) return made;
  if (::mkdir(path.c_str(), private_directory) != 0 && errno != EEXIST)
    return io_failure("create", path);
  if (::stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    return io_failure("use", path);
  }
  return flush_directory(parent);
}

// The lock file is opened each time, so that a process that forked does not share its lock. It is
// never removed: another may be waiting for it.
Result<Lock> Lock::take(const std::filesystem::path& file, std::chrono::milliseconds limit) {
  const std::filesystem::path path = file.string() + ".lock";
  Descriptor descriptor = open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW);
  if (!descriptor.valid()) return io_failure("open", path);
  const auto end = std::chrono::steady_clock::now() + limit;
  auto wait = shortest_wait;
  while (::flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return io_failure("lock", path);
    if (std::chrono::steady_clock::now() >= end) {
      return fail(ErrorKind::timeout,
                  fmt::format("another process holds {} for more than {} s", path.string(),
                              std::chrono::duration_cast<std::chrono::seconds>(limit).count()));
    }
    std::this_thread::sleep_for(wait);
    wait = std::min(wait * 2, longest_wait);
  }
  return Lock(std::move(descriptor), path);
}

std::uint64_t Lock::generation() const {
  std::uint64_t number = 0;
  const ssize_t count = ::pread(descriptor_.number(), &number, sizeof number, 0);
  return count == sizeof number ? number : 0;
}

Result<std::uint64_t> Lock::advance() {
  const std::uint64_t number = generation() + 1;
  if (::pwrite(descriptor_.number(), &number, sizeof number, 0) == sizeof number) return number;
  return io_failure("write", path_);
}

}  // namespace vyre::store
