#include "store/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace vyre::store {
namespace {

constexpr mode_t for_all = 0666;  // less what the user's mask takes away
constexpr int most_set_aside = 100;

std::unexpected<Error> failed(const char* what, const std::filesystem::path& path) {
  const int problem = errno;
  return fail(ErrorKind::io,
              fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(problem)));
}

Descriptor open_file(const std::filesystem::path& path, int flags) {
  return Descriptor(::open(path.c_str(), flags | O_CLOEXEC, for_all));
}

Stamp stamp_from(const struct stat& status) {
  return {
      status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
      static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// A name in a directory lasts only once the directory is on the disk.
Result<void> flush_directory(const std::filesystem::path& path) {
  const Descriptor directory = open_file(path, O_RDONLY | O_DIRECTORY);
  if (!directory.valid()) return failed("open the directory", path);
  if (::fsync(directory.number()) != 0 && errno != EINVAL) return failed("flush", path);
  return {};
}

std::filesystem::path parent_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// Some file systems have no second names; there it is moved.
bool give_name(const std::filesystem::path& path, const std::filesystem::path& name) {
  if (::link(path.c_str(), name.c_str()) == 0) return true;
  if (errno == EEXIST || (errno != EPERM && errno != EOPNOTSUPP)) return false;
  return ::access(name.c_str(), F_OK) != 0 && ::rename(path.c_str(), name.c_str()) == 0;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Result<Content> read_file(const std::filesystem::path& path, std::size_t most) {
  // Not to wait for the other end of what is no file.
  const Descriptor file = open_file(path, O_RDONLY | O_NONBLOCK);
  if (!file.valid() && (errno == ENOENT || errno == ENOTDIR)) return Content{};
  struct stat status = {};
  if (!file.valid() || ::fstat(file.number(), &status) != 0) return failed("open", path);
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
    if (count < 0) return failed("read", path);
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

Result<Stamp> replace_file(const std::filesystem::path& path, const std::string& text) {
  // Always the same name: what a process that was killed left behind is used again.
  const std::filesystem::path draft = path.string() + ".new";
  struct stat status = {};
  {
    const Descriptor file = open_file(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    if (!file.valid()) return failed("create", draft);
    if (!write_all(file.number(), text) || ::fsync(file.number()) != 0 ||
        ::fstat(file.number(), &status) != 0) {
      auto failure = failed("write", draft);
      ::unlink(draft.c_str());
      return failure;
    }
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) {
    auto failure = failed("replace", path);
    ::unlink(draft.c_str());
    return failure;
  }
  if (auto flushed = flush_directory(parent_of(path)); !flushed) {
    return std::unexpected(flushed.error());
  }
  return stamp_from(status);
}

Result<std::filesystem::path> set_aside(const std::filesystem::path& path) {
  for (int i = 1; i <= most_set_aside; ++i) {
    std::filesystem::path name = fmt::format("{}.damaged-{}", path.string(), i);
    if (give_name(path, name)) return name;
    if (errno != EEXIST) return failed("set aside", path);
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
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) return failed("create", path);
  if (::stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    return failed("use", path);
  }
  return flush_directory(parent);
}

}  // namespace vyre::store
