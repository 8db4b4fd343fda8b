// Lock: an flock on a file beside the locked one, which also holds the generation.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "store/disk.h"

namespace vyre::store {
namespace {

constexpr std::chrono::microseconds shortest_wait(100);
constexpr std::chrono::microseconds longest_wait(5'000);

}  // namespace

// The lock file is opened each time, so that a process that forked does not share its lock. It is
// never removed: another may be waiting for it.
Result<Lock> Lock::take(const std::filesystem::path& file, std::chrono::milliseconds limit) {
  const std::filesystem::path path = file.string() + ".lock";
  Descriptor descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!descriptor.valid()) {
    return fail(ErrorKind::io,
                fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  }
  const auto end = std::chrono::steady_clock::now() + limit;
  auto wait = shortest_wait;
  while (::flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return fail(ErrorKind::io,
                  fmt::format("cannot lock {}: {}", path.string(), std::strerror(errno)));
    }
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
  return fail(ErrorKind::io,
              fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
}

}  // namespace vyre::store
