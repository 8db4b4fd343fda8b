#include "device/part.h"

#include <fmt/format.h>

namespace vyre::device {

Result<void> check_part(const Part& part) {
  const std::size_t all = part.buffer->bytes();
  if (part.offset <= all && part.bytes <= all - part.offset) return {};
  return fail(ErrorKind::input, fmt::format("{} bytes from {} on leave a buffer of {}", part.bytes,
                                            part.offset, all));
}

}  // namespace vyre::device
