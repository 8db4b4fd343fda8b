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

// After commands of the shell, such as "ulimit -f 1".
inline Finished vyre_after(const std::string& commands, const std::vector<std::string>& arguments,
                           const std::map<std::string, std::string>& environment = {}) {
  std::vector<std::string> words = {"/bin/bash", "-c", commands + "; exec \"$0\" \"$@\"",
                                    paths::tool};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(words, environment);
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace vyre::testing
