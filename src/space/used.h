// What a Space finds out only when asked: which values its configurations have.
#pragma once

#include <mutex>
#include <vector>

#include "vyre/space/space.h"

namespace vyre::space {

struct Space::Used {
  std::once_flag once;
  std::vector<std::vector<Digit>> values;  // of each parameter, ascending
};

}  // namespace vyre::space
