// Valid programs whose author chose names that mean something else in the languages we emit.
#pragma once

#include <string>
#include <vector>

namespace vyre::testing {

std::vector<std::string> programs_with_hostile_names();

}  // namespace vyre::testing
