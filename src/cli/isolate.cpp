#include "cli/isolate.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "worker/process.h"

namespace vyre::cli {
namespace {

// Ends at once: drivers may hang or crash when they are taken down.
[[noreturn]] void be_child(pid_t parent, const std::function<int()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before it could be said
  _exit(work());
}

}  // namespace

Expected<int, std::string> in_child(const std::function<int()>& work) {
  flush_results();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) be_child(parent, work);
  if (child < 0) {
    return Unexpected(fmt::format("could not be started: {}", std::strerror(errno)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Unexpected(fmt::format("is lost: {}", std::strerror(errno)));
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return Unexpected(worker::how_it_ended(status));
}

ExitStatus isolated(std::string_view doing, const std::function<ExitStatus()>& work) {
  const auto status = in_child([&] { return finish_printing(work()); });
  if (status) return static_cast<ExitStatus>(*status);
  print_message(
      "vyre: {} brought its process down: it {}. What the driver said stands above, if it said "
      "anything; `vyre doctor` checks each part\n",
      doing, status.error());
  return check_failed;
}

}  // namespace vyre::cli
