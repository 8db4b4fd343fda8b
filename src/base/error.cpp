#include "vyre/base/error.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace vyre {

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::input:
      return "input";
    case ErrorKind::io:
      return "io";
    case ErrorKind::no_device:
      return "no_device";
    case ErrorKind::compile:
      return "compile";
    case ErrorKind::device:
      return "device";
    case ErrorKind::run:
      return "run";
    case ErrorKind::limit:
      return "limit";
    case ErrorKind::timeout:
      return "timeout";
  }
  return "";
}

std::vector<Error> Error::all() const {
  std::vector<Error> problems = {{kind, message, place}};
  problems.insert(problems.end(), others.begin(), others.end());
  return problems;
}

Error one_error(Problems problems) {
  Error first = std::move(problems.front());
  problems.erase(problems.begin());
  first.others.insert(first.others.end(), std::make_move_iterator(problems.begin()),
                      std::make_move_iterator(problems.end()));
  return first;
}

std::string to_string(const Error& error) {
  std::string text = error.place.known() ? fmt::format("{}:{}: {}", error.place.line,
                                                       error.place.column, error.message)
                                         : error.message;
  for (const Error& other : error.others) text += "\n" + to_string(other);
  return text;
}

Failure fail(ErrorKind kind, std::string message, Place place) {
  return Failure(Error{kind, std::move(message), place});
}

int exit_status(const Result<void>& done) {
  if (done) return 0;
  std::fprintf(stderr, "error: %s\n", to_string(done.error()).c_str());
  return 1;
}

void detail::no_value(const Error* why) {
  std::fprintf(stderr, "vyre: a value was used that is not there%s%s\n", why == nullptr ? "" : ": ",
               why == nullptr ? "" : to_string(*why).c_str());
  std::abort();
}

}  // namespace vyre
