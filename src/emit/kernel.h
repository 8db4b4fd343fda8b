// One program as one kernel in a C-like language.
#pragma once

#include <string>

#include "emit/dialect.h"
#include "emit/emit.h"
#include "emit/helpers.h"
#include "vyre/base/error.h"

namespace vyre::emit {

struct Kernel {
  Entry entry;
  std::string text;
};

[[nodiscard]] Result<Kernel> emit_kernel(const Unit& unit, std::string name, const Dialect& dialect,
                                         Helpers& helpers);

}  // namespace vyre::emit
