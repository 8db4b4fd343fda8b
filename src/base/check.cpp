#include "base/check.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace vyre {

void broken_invariant(const char* what, std::source_location where) {
  fmt::print(stderr, "vyre: internal error: {} ({}:{})\n", what, where.file_name(), where.line());
  std::abort();
}

}  // namespace vyre
