// What `vyre tune` is asked to tune: the program of a file, or one of the library's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/program_file.h"
#include "tune/family.h"
#include "tune/primitive_kinds.h"
#include "vyre/base/expected.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"

namespace vyre::cli {

struct Problem {
  std::string name;   // the file, or the primitive
  std::string label;  // what people are shown
  std::string sizes;  // "w=1024 h=1024"
  tune::Family family;
  tune::Workload workload;
  std::optional<tune::Family> reordered = {};  // of the program with `reassociate`, if that helps
  bool is_file = false;  // its family is what schedule steps make of the program
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

// Of `vyre tune --primitive ...`: what is wrong names the option.
struct ProblemPrimitives {
  std::vector<tune::PrimitiveShape> named;     // each with the whole budget
  std::vector<tune::PrimitiveShape> standard;  // `all`: these share it
};
[[nodiscard]] Result<ProblemPrimitives> parse_primitives(const std::vector<std::string>& texts);
[[nodiscard]] Result<Problem> problem_of(const tune::PrimitiveShape& shape,
                                         const device::Adapter& adapter);
// "kfac:BLOCKSxN, gemm:MxNxK, ..."
[[nodiscard]] std::string primitive_forms();

}  // namespace vyre::cli
