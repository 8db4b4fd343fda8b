// What the library's promising schedules gain on programs that they were not learned from.
#pragma once

#include <string>
#include <vector>

#include "tuner.h"
#include "vyre/base/error.h"

namespace vyre::learn {

// Prints, for each file with a program, the best of them relative to the program as it is.
[[nodiscard]] Result<void> check(Tuner tuner, const std::vector<std::string>& files);

}  // namespace vyre::learn
