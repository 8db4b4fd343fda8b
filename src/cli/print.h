// What the tool says: results to standard output, messages to standard error, and to scripts the
// exit status.
//
// fmt::print throws where it cannot write. Here a message that nobody can receive is dropped, and
// results that were lost are reported once, at the end. Words from files, drivers and arguments
// reach no terminal as commands to it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "vyre/base/error.h"

namespace vyre::cli {

// What scripts see of how a command ended.
enum ExitStatus : std::uint8_t {
  done = 0,
  check_failed = 1,  // it ran, but a check failed or nothing valid was found
  wrong_call = 2,    // the input or the call is wrong
  no_such_device = 3,
};

[[nodiscard]] ExitStatus status_of(const Error& error);

// As they are.
void write_result(std::string_view text);
void write_message(std::string_view text);

// Words as a terminal can show them: control characters other than these, and bytes that are not
// UTF-8, become "\x1b".
[[nodiscard]] std::string printable(std::string_view text, std::string_view allowed = "\n\t");

template <class Value>
[[nodiscard]] decltype(auto) shown(const Value& value) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
    return printable(value);
  } else {
    return (value);
  }
}

// The format as it is, the values printable.
template <class... Values>
void print_result(fmt::format_string<Values...> format, const Values&... values) {
  write_result(fmt::format(fmt::runtime(format), shown(values)...));
}

template <class... Values>
void print_message(fmt::format_string<Values...> format, const Values&... values) {
  write_message(fmt::format(fmt::runtime(format), shown(values)...));
}

// Columns of the terminal that messages go to; 80 if it is none.
[[nodiscard]] std::size_t terminal_width();

// Results before the messages that follow, where both go to one place.
void flush_results();

// Where a standard stream is closed, the next file that is opened would take its place, and get
// what is printed. Called before any is opened.
void occupy_closed_streams();

// The status of a command that ended with `status`, once all it printed is written.
[[nodiscard]] ExitStatus finish_printing(ExitStatus status);

}  // namespace vyre::cli
