#include "worker/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string_view>
#include <thread>
#include <utility>

namespace vyre::worker {
namespace {

constexpr std::size_t log_bytes = 65536;

// A kernel that crashes is reported with its signal: that takes a moment longer than the end of its
// channel.
constexpr std::chrono::milliseconds crash_grace{2000};

Failure cannot(std::string_view what, int error) {
  const char* advice = error == EMFILE || error == ENFILE
                           ? "; close some files or raise the limit (ulimit -n)"
                       : error == EFBIG ? "; raise the limit of file sizes (ulimit -f)"
                                        : "";
  return fail(ErrorKind::io, fmt::format("cannot {}: {}{}", what, std::strerror(error), advice));
}

// The same file under a number that is free in a worker, where 0 to 3 are taken; -1 if there is
// none left. `descriptor` is closed if it is not the one returned.
int above_the_worker(int descriptor) {
  if (descriptor < 0 || descriptor > channel_descriptor) return descriptor;
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, channel_descriptor + 1);
  const int error = errno;
  close(descriptor);
  errno = error;
  return moved;
}

// Memory that looks like a file and cannot grow: a driver that prints without end fills nothing.
int make_log() {
  const int log = memfd_create("vyre-worker-log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (log < 0) return log;
  if (ftruncate(log, log_bytes) != 0 || fcntl(log, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) != 0) {
    close(log);
    return -1;
  }
  return log;
}

std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> variables = changes;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view variable = *at;
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    if (std::ranges::none_of(changes, [&](const auto& one) { return one.starts_with(name); })) {
      variables.emplace_back(variable);
    }
  }
  return variables;
}

// Pointers as exec wants them; valid as long as the strings are.
std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& text : strings) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// How the child's descriptors, signals and group are set up.
class SpawnSetup {
 public:
  // Requires: both are above the descriptors that the child gets, so that none is overwritten
  // before it is copied.
  SpawnSetup(int channel, int log) {
    posix_spawn_file_actions_init(&files_);
    for (const int failed :
         {posix_spawn_file_actions_adddup2(&files_, log, STDERR_FILENO),
          posix_spawn_file_actions_adddup2(&files_, channel, channel_descriptor),
          posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
          posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0),
          posix_spawn_file_actions_addclosefrom_np(&files_, channel_descriptor + 1)}) {
      if (failed != 0) failed_ = failed;
    }

    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  // 0, or an error number.
  int spawn(pid_t& child, const Command& command) const {
    if (failed_ != 0) return failed_;
    std::vector<std::string> words = command.words;
    std::vector<std::string> variables = changed_environment(command.environment);
    return posix_spawn(&child, words[0].c_str(), &files_, &attributes_, pointers(words).data(),
                       pointers(variables).data());
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
  int failed_ = 0;
};

}  // namespace

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return fmt::format("was killed by signal {} ({})", signal, strsignal(signal));
  }
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

Command serve_command(std::string program, const std::string& scratch, const Options& options) {
  std::vector<std::string> environment = options.environment;
  // Of a name that is there twice the first counts: the caller's.
  if (options.own_cache) environment.push_back(cache_variable + scratch);
  environment.push_back("TMPDIR=" + scratch);
  return {.words = {std::move(program), "serve", scratch, std::to_string(options.niceness)},
          .environment = std::move(environment)};
}

Result<Process> Process::start(const Command& command) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return cannot("make a socket pair for a worker", errno);
  }
  // Contents should go over at one stroke: each time the socket is full, both sides wake. Granted
  // as far as the system allows.
  constexpr int room = 1 << 20;
  for (const int end : ends) setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  Channel own(ends[0]);
  const int channel = above_the_worker(ends[1]);
  if (channel < 0) return cannot("make a channel for a worker", errno);
  const Channel theirs(channel);  // closed here once the child has it
  const int log = above_the_worker(make_log());
  if (log < 0) return cannot("make a log for a worker", errno);
  pid_t child = -1;
  const int failed = SpawnSetup(channel, log).spawn(child, command);
  if (failed != 0) {
    close(log);
    return cannot(fmt::format("start the worker '{}'", command.words[0]), failed);
  }
  return Process(child, std::move(own), log);
}

Process::Process(Process&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      channel_(std::move(other.channel_)),
      log_(std::exchange(other.log_, -1)),
      still_(std::exchange(other.still_, false)) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(channel_, other.channel_);
  std::swap(log_, other.log_);
  std::swap(still_, other.still_);
  return *this;
}

Process::~Process() {
  end();
  if (log_ >= 0) close(log_);
}

std::chrono::nanoseconds Process::cpu_time() const {
  clockid_t clock{};
  timespec used{};
  if (id_ < 0 || clock_getcpuclockid(id_, &clock) != 0 || clock_gettime(clock, &used) != 0) {
    return {};
  }
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

void Process::stand_still(bool still) {
  if (id_ < 0 || still == still_) return;
  still_ = still;
  kill(-id_, still ? SIGSTOP : SIGCONT);
}

std::string Process::log() const {
  std::string text(log_bytes, '\0');
  const ssize_t got = pread(log_, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  text.resize(text.find_last_not_of(std::string_view("\0\n", 2)) + 1);
  return text;
}

std::string Process::end(std::chrono::milliseconds grace) {
  if (id_ < 0) return {};
  int status = 0;
  pid_t reaped = 0;
  const auto until = std::chrono::steady_clock::now() + grace;
  do {
    reaped = waitpid(id_, &status, WNOHANG);
    if (reaped == 0 && grace.count() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (reaped == 0 && std::chrono::steady_clock::now() < until);
  const bool ended = reaped != 0;
  kill(-id_, SIGKILL);  // its group: what it started may outlive it
  while (!ended && waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  if (!ended) return {};
  // A program that ignores SIGCHLD cannot know how its children ended.
  return reaped > 0 ? how_it_ended(status) : "ended";
}

std::string Process::lost(const ChannelError& error, std::string_view doing,
                          std::chrono::milliseconds limit) {
  using Kind = ChannelError::Kind;
  std::string message;
  if (error.kind == Kind::timed_out) {
    message = fmt::format("{} took longer than {:g} s and was stopped", doing,
                          static_cast<double>(limit.count()) / 1000);
  } else if (error.kind == Kind::garbage) {
    message = fmt::format("the worker process answered {} with something that is not an answer: {}",
                          doing, error.detail);
  } else {
    const std::string how = end(crash_grace);
    message = fmt::format("{} brought its process down: it {}", doing,
                          how.empty() ? "closed its channel" : how);
  }
  end();
  if (const std::string said = log(); !said.empty()) message += "\n" + said;
  return message;
}

}  // namespace vyre::worker
