// What the exit status says to scripts.
#pragma once

#include <cstdint>

#include "vyre/base/error.h"

namespace vyre::cli {

enum ExitStatus : std::uint8_t {
  done = 0,
  check_failed = 1,  // it ran, but a check failed or nothing valid was found
  wrong_call = 2,    // the input or the call is wrong
  no_such_device = 3,
};

[[nodiscard]] inline ExitStatus status_of(const Error& error) {
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

}  // namespace vyre::cli
