// Errors that a user, a driver or a disk can cause, and how functions return them.
//
// A function that can fail returns Result<T>. Nothing throws across the public API. A broken
// invariant inside vyre is not an Error: it stops the program (see base/check.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/base/expected.h"

namespace vyre {

// A place in a text: 1-based line and column; line 0 means "no text".
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
// "input", "no_device".
[[nodiscard]] std::string_view name_of(ErrorKind kind);

// What is wrong. A program's text can have many problems: the first is the error itself, the others
// are in it.
struct Error {
  ErrorKind kind = ErrorKind::input;
  std::string message;  // what is wrong and what to do about it, without the place
  Place place = {};
  std::vector<Error> others = {};  // in the order of the text

  // All problems, this one first.
  [[nodiscard]] std::vector<Error> all() const;
  bool operator==(const Error&) const = default;
};

template <class T>
using Result = Expected<T, Error>;
using Failure = Unexpected<Error>;

// All the problems found at once, in the order of the text.
using Problems = std::vector<Error>;
// As one error. Requires: at least one.
[[nodiscard]] Error one_error(Problems problems);

// "line:column: message", or only the message where the place is unknown; a line for each problem.
[[nodiscard]] std::string to_string(const Error& error);

// Shorthand for `return fail(ErrorKind::input, "...")`.
[[nodiscard]] Failure fail(ErrorKind kind, std::string message, Place place = {});

// For main(): 0 if it is done; else the error goes to standard error, and it is 1.
[[nodiscard]] int exit_status(const Result<void>& done);

}  // namespace vyre

#define VYRE_JOIN_INNER(a, b) a##b
#define VYRE_JOIN(a, b) VYRE_JOIN_INNER(a, b)

// Declares what an expression gives, or returns its error from the function around it:
//   VYRE_TRY(auto gpu, vyre::Context::open());
#define VYRE_TRY(declaration, ...)                                                \
  auto VYRE_JOIN(vyre_result_, __LINE__) = __VA_ARGS__;                           \
  if (!VYRE_JOIN(vyre_result_, __LINE__)) {                                       \
    return ::vyre::Failure(std::move(VYRE_JOIN(vyre_result_, __LINE__)).error()); \
  }                                                                               \
  declaration = *std::move(VYRE_JOIN(vyre_result_, __LINE__))

// The same where there is no value: VYRE_CHECK(gpu.finish());
#define VYRE_CHECK(...)                                     \
  do {                                                      \
    if (auto vyre_done = __VA_ARGS__; !vyre_done) {         \
      return ::vyre::Failure(std::move(vyre_done).error()); \
    }                                                       \
  } while (false)
