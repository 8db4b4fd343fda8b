#include "worker/watchdog.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "worker/scratch.h"

namespace vyre::worker {
namespace {

using namespace std::chrono_literals;

void wait_for_hangup(int channel) {
  pollfd polled{.fd = channel, .events = POLLRDHUP, .revents = 0};
  while (poll(&polled, 1, -1) <= 0) {
  }
}

// A session of its own, so that it outlives the group of the worker.
void start_cleaner(const std::string& scratch) {
  std::string program = "/proc/self/exe";
  std::string clean = "clean";
  std::string group = std::to_string(getpgrp());
  std::string directory = scratch;
  const std::array<char*, 5> words = {program.data(), clean.data(), group.data(), directory.data(),
                                      nullptr};
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t cleaner = 0;
  (void)posix_spawn(&cleaner, program.c_str(), nullptr, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
}

}  // namespace

void die_with_parent(int channel, std::string scratch) {
  fcntl(channel, F_SETFD, FD_CLOEXEC);
  std::thread([channel, scratch = std::move(scratch)] {
    wait_for_hangup(channel);
    if (!scratch.empty()) start_cleaner(scratch);
    kill(0, SIGKILL);
  }).detach();
}

void let_watchdog_end(int channel) {
  pollfd polled{.fd = channel, .events = POLLRDHUP, .revents = 0};
  while (poll(&polled, 1, 0) != 0) pause();
}

void clean_after(int group, const std::string& scratch) {
  for (int i = 0; i < 500 && (kill(-group, 0) == 0 || errno != ESRCH); ++i) {
    std::this_thread::sleep_for(10ms);
  }
  remove_abandoned(scratch);
}

}  // namespace vyre::worker
