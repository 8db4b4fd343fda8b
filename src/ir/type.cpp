#include "vyre/ir/type.h"

#include <fmt/format.h>

namespace vyre::ir {

std::string to_string(Type type) {
  if (type.lanes == 1) return std::string(name_of(type.scalar));
  return fmt::format("{}x{}", name_of(type.scalar), type.lanes);
}

}  // namespace vyre::ir
