// The programs of the set that are calls of BLAS: OpenBLAS, with as many threads as there are
// cores.
#pragma once

#include <string_view>

#include "set.h"

namespace vyre::bench {

// None where there is no such call, or no OpenBLAS.
[[nodiscard]] Loop blas_of(std::string_view program);

}  // namespace vyre::bench
