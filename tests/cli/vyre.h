// Runs the tool that was built with the tests.
#pragma once

#include "support/paths.h"
#include "support/subprocess.h"

namespace vyre::testing {

inline Finished vyre(std::vector<std::string> arguments,
                     const std::map<std::string, std::string>& environment = {}) {
  arguments.insert(arguments.begin(), paths::tool);
  return run_program(arguments, environment);
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace vyre::testing
