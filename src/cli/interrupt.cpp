#include "cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <string_view>

namespace vyre::cli {
namespace {

// The handler may run in any thread.
std::atomic<bool> is_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

// write, since a handler may not call what allocates or locks.
void note(int) {
  is_requested = true;
  constexpr std::string_view words = "\nvyre: stopping after this step; again to quit at once\n";
  static_cast<void>(!write(STDERR_FILENO, words.data(), words.size()));
}

// The handler is gone after the first signal, so that the second ends the program.
void handle_with(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  is_requested = false;
  handle_with(note);
}

Interrupt::~Interrupt() { handle_with(SIG_DFL); }

bool Interrupt::requested() const { return is_requested; }

}  // namespace vyre::cli
