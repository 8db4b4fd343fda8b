#include "base/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace vyre {
namespace {

bool is_pipe(const Descriptor& file) {
  struct stat status = {};
  return ::fstat(file.number(), &status) == 0 && S_ISFIFO(status.st_mode);
}

// Whether somebody has it open to write. Like a read, tee says "later" where there is a writer and
// "the end" where there is none; unlike a read it takes nothing out.
bool has_writer(const Descriptor& pipe) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return false;
  const Descriptor out(ends[0]);
  const Descriptor in(ends[1]);
  return ::tee(pipe.number(), in.number(), 1, SPLICE_F_NONBLOCK) != 0;
}

// Until there is something to read, or the writer that was there has gone.
bool wait_for_writer(const Descriptor& pipe, std::chrono::milliseconds patience) {
  pollfd waiting = {.fd = pipe.number(), .events = POLLIN, .revents = 0};
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        std::max(end - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0)));
    const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    return ready != 0 || has_writer(pipe);
  }
}

}  // namespace

Expected<Descriptor, std::string> open_input(const std::filesystem::path& path,
                                             std::chrono::milliseconds patience) {
  Descriptor file = open_file(path, O_RDONLY | O_NONBLOCK);
  if (!file.valid()) return Unexpected(std::strerror(errno));
  if (is_pipe(file) && !wait_for_writer(file, patience)) {
    return Unexpected(
        fmt::format("it is a pipe, and nobody has opened it to write for {} ms", patience.count()));
  }
  if (!make_blocking(file)) return Unexpected(std::strerror(errno));
  return file;
}

std::optional<std::size_t> read_into(const Descriptor& from, std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t count = ::read(from.number(), to.data() + done, to.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

std::optional<std::string> read_up_to(const Descriptor& from, std::size_t most) {
  constexpr std::size_t chunk = 65'536;
  std::string text;
  while (text.size() < most) {
    const std::size_t before = text.size();
    const std::size_t wanted = std::min(chunk, most - before);
    text.resize(before + wanted);
    const auto got = read_into(from, std::span(text).subspan(before));
    if (!got) return std::nullopt;
    text.resize(before + *got);
    if (*got < wanted) break;
  }
  return text;
}

}  // namespace vyre
