// `vyre tune --explain`: what bounds a program on this device, how near what was decided comes to
// that, and what each schedule step says of the program.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/tune_problem.h"
#include "schedule/explain.h"
#include "tune/bound.h"
#include "tune/roof_meter.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"

namespace vyre::cli {

struct Explanation {
  std::vector<schedule::StepVerdict> steps;  // of a file's program; a primitive has layouts instead
  tune::Work work;
  tune::Roof roof;
  tune::Bound bound;
  double elapsed_ns = 0;  // of what was decided

  // Of what the device allows: 1 if the bound is reached.
  [[nodiscard]] double reached() const { return bound.ns() / elapsed_ns; }
};

// `elapsed_ns` is what a launch takes as it was decided.
[[nodiscard]] Result<Explanation> explanation_of(const Problem& problem, double elapsed_ns,
                                                 const device::Adapter& adapter,
                                                 tune::RoofMeter& roof);

// A few lines, the first with the name.
[[nodiscard]] std::string explanation_text(const std::string& name, const Explanation& explanation);
[[nodiscard]] nlohmann::ordered_json explanation_json(const Explanation& explanation);

}  // namespace vyre::cli
