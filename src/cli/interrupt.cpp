#include "cli/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace vyre::cli {
namespace {

volatile std::sig_atomic_t is_wished = 0;

void note(int) { is_wished = 1; }

void handle_with(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  is_wished = 0;
  handle_with(note);
}

Interrupt::~Interrupt() { handle_with(SIG_DFL); }

bool Interrupt::wished() const { return is_wished != 0; }

}  // namespace vyre::cli
