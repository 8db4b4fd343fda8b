#include "base/memory.h"

#include <unistd.h>

#include <cstring>
#include <exception>

namespace vyre {
namespace {

struct {
  const char* who = "";
  int status = 1;
  std::terminate_handler before = nullptr;
} last_words;

// Without allocating.
void say(const char* text) { static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text))); }

[[noreturn]] void end_here() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    for (const char* part : {last_words.who, ": ", out_of_memory_text, "\n"}) say(part);
    ::_exit(last_words.status);
  } catch (...) {
    last_words.before();  // says what it was
  }
  std::abort();
}

}  // namespace

Error out_of_memory() { return {ErrorKind::limit, out_of_memory_text}; }

void explain_lack_of_memory(const char* who, int status) {
  last_words.who = who;
  last_words.status = status;
  const auto before = std::set_terminate(end_here);
  if (before != end_here) last_words.before = before;
}

}  // namespace vyre
