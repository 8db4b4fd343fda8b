// Where the program vyre-worker is.
//
// An installed vyre may be moved, and it is used by programs of other projects. So the worker is
// looked for from what is known at run time before the prefix that vyre was configured for counts:
// the running program, the shared library, and what the package said when the program was compiled
// (vyre/worker/options.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vyre/base/error.h"

namespace vyre::worker {

// What the worker is looked for from; what is empty is left out.
struct Landmarks {
  std::filesystem::path program;            // the running program
  std::filesystem::path library;            // the shared library that this code is in
  std::vector<std::filesystem::path> told;  // workers of packages, see detail::tell_worker
  std::filesystem::path installed;          // the worker in the prefix of configure time
  // The way from the folder of a program, and of the library, to the worker's.
  std::filesystem::path from_program = "../libexec/vyre";
  std::filesystem::path from_library = "../libexec/vyre";
};

// Those of this process.
[[nodiscard]] Landmarks landmarks();

// Where to look, best first, each place once: beside the program, from there in ../libexec/vyre,
// the same from the library, what was told, the prefix of configure time.
[[nodiscard]] std::vector<std::string> places(const Landmarks& from);

// The first that can be run; else an error that lists them and says what to do.
[[nodiscard]] Result<std::string> first_to_run(const std::vector<std::string>& places);

// `given` if it is not empty, else what is found from this process's landmarks.
[[nodiscard]] Result<std::string> find_program(const std::string& given);

}  // namespace vyre::worker
