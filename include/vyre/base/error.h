// Errors that a user, a driver or a disk can cause, and how functions return them.
//
// A function that can fail returns Result<T>. Nothing throws across the public API. A broken
// invariant inside vyre is not an Error: it stops the program (see base/check.h).
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace vyre {

// A place in a text: 1-based line and column; line 0 means "no text" (a program built in C++).
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  [[nodiscard]] bool known() const { return line != 0; }
  bool operator==(const Place&) const = default;
};

enum class ErrorKind : std::uint8_t {
  input,      // what the user gave is wrong: text, arguments, shapes, files
  io,         // a file or directory could not be read or written
  no_device,  // the device asked for does not exist on this machine
  compile,    // the device's compiler refused the source; the message holds its log
  device,     // the driver reported a failure
  run,        // the program did something it must not: out of bounds, data race, ...
  limit,      // more was asked of the device than it has: workgroup, shared memory, buffer
  timeout,    // it took longer than it was given
};

struct Error {
  ErrorKind kind = ErrorKind::input;
  std::string message;  // what is wrong and what to do about it, without the place
  Place place = {};

  bool operator==(const Error&) const = default;
};

template <class T>
using Result = std::expected<T, Error>;

// All the problems found at once, in the order of the text. Never empty inside an unexpected.
using Problems = std::vector<Error>;

// "line:column: message", or only the message where the place is unknown.
std::string to_string(const Error& error);

// Shorthand for `return fail(ErrorKind::input, "...")`.
[[nodiscard]] std::unexpected<Error> fail(ErrorKind kind, std::string message, Place place = {});

}  // namespace vyre
