#include "base/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace vyre {
namespace {

constexpr int most_links = 40;  // as many as Linux follows

}  // namespace

void keep_access(int draft, const std::filesystem::path& old) {
  constexpr mode_t but_for_others_to_write = 0775;
  struct stat status = {};
  if (::stat(old.c_str(), &status) != 0) return;
  static_cast<void>(!::fchown(draft, status.st_uid, status.st_gid));
  static_cast<void>(::fchmod(draft, status.st_mode & but_for_others_to_write));
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

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Stamp stamp_from(const struct stat& status) {
  return {
      status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
      static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

Failure io_failure(const char* what, const std::filesystem::path& path) {
  const int problem = errno;
  return fail(ErrorKind::io,
              fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(problem)));
}

Descriptor open_file(const std::filesystem::path& path, int flags, mode_t mode) {
  return Descriptor(::open(path.c_str(), flags | O_CLOEXEC, mode));
}

std::optional<int> own_descriptor(const std::filesystem::path& path) {
  std::error_code none;
  const auto directory = std::filesystem::canonical(parent_of(path), none);
  if (none || directory != fmt::format("/proc/{}/fd", ::getpid())) return {};
  const std::string name = path.filename();
  int number = -1;
  const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (failed != std::errc() || end != name.data() + name.size()) return {};
  return number;
}

Result<std::filesystem::path> follow_links(const std::filesystem::path& path) {
  std::filesystem::path at = path;
  for (int links = 0; links <= most_links; ++links) {
    if (own_descriptor(at)) return at;
    std::error_code none;
    const auto target = std::filesystem::read_symlink(at, none);
    if (none) return at;
    at = parent_of(at) / target;  // an absolute target stands for itself
  }
  errno = ELOOP;
  return io_failure("follow the links of", path);
}

bool make_blocking(const Descriptor& file) {
  const int flags = ::fcntl(file.number(), F_GETFL);
  return flags >= 0 && ::fcntl(file.number(), F_SETFL, flags & ~O_NONBLOCK) == 0;
}

Result<void> flush_directory(const std::filesystem::path& path) {
  const Descriptor directory = open_file(path, O_RDONLY | O_DIRECTORY);
  if (!directory.valid()) return io_failure("open the directory", path);
  if (::fsync(directory.number()) != 0 && errno != EINVAL) return io_failure("flush", path);
  return {};
}

std::filesystem::path parent_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

Result<Stamp> replace_file(const std::filesystem::path& path, std::string_view text) {
  // Always the same name: what a process that was killed left behind is used again.
  const std::filesystem::path draft = path.string() + ".new";
  struct stat status = {};
  {
    const Descriptor file = open_file(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    if (!file.valid()) return io_failure("create", draft);
    keep_access(file.number(), path);
    if (!write_all(file.number(), text) || ::fsync(file.number()) != 0 ||
        ::fstat(file.number(), &status) != 0) {
      auto failure = io_failure("write", draft);
      ::unlink(draft.c_str());
      return failure;
    }
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) {
    auto failure = io_failure("replace", path);
    ::unlink(draft.c_str());
    return failure;
  }
  if (auto flushed = flush_directory(parent_of(path)); !flushed) {
    return Unexpected(flushed.error());
  }
  return stamp_from(status);
}

}  // namespace vyre
