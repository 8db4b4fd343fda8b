#include "cli/print.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/utf8.h"

namespace vyre::cli {
namespace {

// What is lost is marked in the stream.
void write(std::FILE* stream, std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream));
}

// Also those of the second set, which some terminals obey: U+0080 to U+009F.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

}  // namespace

std::string printable(std::string_view text, std::string_view allowed) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const bool stays =
        length > 0 && (!is_control(character) || allowed.find(character) != std::string_view::npos);
    if (stays) out += character;
    for (const char c : stays ? std::string_view() : character) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    text.remove_prefix(character.size());
  }
  return out;
}

ExitStatus status_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::no_device:
      return no_such_device;
    case ErrorKind::input:
    case ErrorKind::io:
    case ErrorKind::limit:
      return wrong_call;
    case ErrorKind::compile:
    case ErrorKind::device:
    case ErrorKind::run:
    case ErrorKind::timeout:
      return check_failed;
  }
  return check_failed;
}

void write_result(std::string_view text) { write(stdout, text); }

void write_message(std::string_view text) { write(stderr, text); }

void flush_results() { static_cast<void>(std::fflush(stdout)); }

// Opened the wrong way round, so that using them fails as it would have.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

ExitStatus finish_printing(ExitStatus status) {
  flush_results();
  if (std::ferror(stdout) == 0) return status;
  write_message("vyre: standard output cannot be written to, and results are lost; is it full?\n");
  return std::max(status, status_of({ErrorKind::io, ""}));
}

std::size_t terminal_width() {
  winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace vyre::cli
