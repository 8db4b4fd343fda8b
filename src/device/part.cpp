#include "device/part.h"

#include <fmt/format.h>

namespace vyre::device {

Result<void> check_part(const Part& part) {
  const std::size_t all = part.buffer->bytes();
  if (part.offset <= all && part.bytes <= all - part.offset) return {};
  return fail(ErrorKind::input, fmt::format("{} bytes from {} on leave a buffer of {}", part.bytes,
                                            part.offset, all));
}

Failure not_timed() {
  return fail(ErrorKind::input,
              "commands of this queue are not timed: ask for that when the context "
              "is opened (.timed = true) or the queue is made");
}

}  // namespace vyre::device
