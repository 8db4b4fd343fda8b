#include "cli/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <string_view>

namespace vyre::cli {
namespace {

volatile std::sig_atomic_t is_requested = 0;

// write, since a handler may not call what allocates or locks.
void note(int) {
  is_requested = 1;
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
  is_requested = 0;
  handle_with(note);
}

Interrupt::~Interrupt() { handle_with(SIG_DFL); }

bool Interrupt::requested() const { return is_requested != 0; }

}  // namespace vyre::cli
