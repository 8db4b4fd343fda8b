#include "vyre/base/error.h"

#include <fmt/format.h>

namespace vyre {

std::string to_string(const Error& error) {
  if (!error.place.known()) return error.message;
  return fmt::format("{}:{}: {}", error.place.line, error.place.column, error.message);
}

std::unexpected<Error> fail(ErrorKind kind, std::string message, Place place) {
  return std::unexpected(Error{kind, std::move(message), place});
}

}  // namespace vyre
