// What `vyre tune` is asked to tune: the program of a file, or one of the library's own.
#pragma once

#include <string>
#include <vector>

#include "cli/program_file.h"
#include "tune/family.h"
#include "vyre/base/expected.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/kfac.h"

namespace vyre::cli {

struct Problem {
  std::string name;   // the file, or the primitive
  std::string label;  // what people are shown
  std::string sizes;  // "w=1024 h=1024"
  tune::Family family;
  tune::Workload workload;
};

// Of `vyre tune FILE --in ... --set ...`.
struct ProblemFile {
  std::string name;
  Expected<ir::Program, Reported> program;
  std::string label;
};
// What is wrong is printed.
[[nodiscard]] Expected<Problem, Reported> problem_of(const ProblemFile& file,
                                                     const std::vector<std::string>& inputs,
                                                     const std::vector<std::string>& set,
                                                     const device::Limits& limits);

// "kfac:1000x16": 1000 blocks of 16 x 16 to invert.
[[nodiscard]] Result<primitives::KfacOptions> parse_primitive(const std::string& text);
[[nodiscard]] Result<Problem> problem_of(const std::string& name,
                                         const primitives::KfacOptions& options);

}  // namespace vyre::cli
