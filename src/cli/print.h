// What the tool says: results to standard output, messages to standard error, and to scripts the
// exit status.
//
// fmt::print throws where it cannot write. Here a message that nobody can receive is dropped, and
// results that were lost are reported once, at the end.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>

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

void write_result(std::string_view text);
void write_message(std::string_view text);

template <class... Values>
void print_result(fmt::format_string<Values...> format, Values&&... values) {
  write_result(fmt::format(format, std::forward<Values>(values)...));
}

template <class... Values>
void print_message(fmt::format_string<Values...> format, Values&&... values) {
  write_message(fmt::format(format, std::forward<Values>(values)...));
}

// Results before the messages that follow, where both go to one place.
void flush_results();

// Where a standard stream is closed, the next file that is opened would take its place, and get
// what is printed. Called before any is opened.
void occupy_closed_streams();

// The status of a command that ended with `status`, once all it printed is written.
[[nodiscard]] ExitStatus finish_printing(ExitStatus status);

}  // namespace vyre::cli
