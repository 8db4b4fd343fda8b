// A kernel on Oclgrind's simulator, which sees what a device hides: reads out of bounds, races,
// divergent barriers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/session.h"

namespace vyre::trial {

// One access that the simulator objects to, in the text of the kernel.
struct AccessSite {
  std::uint32_t line = 0;
  std::string code;        // that line, trimmed
  std::string invocation;  // "(63,0,0)"
  bool operator==(const AccessSite&) const = default;
};

// What it objects to: "Invalid read of size 4 at global memory", with one site; "Read-write data
// race at local memory", with two.
struct SimulatorFinding {
  std::string what;
  std::vector<AccessSite> sites;
  std::size_t times = 1;  // how often at these lines
};

struct Simulation {
  std::string log;         // all that it said, also why the kernel brought it down; may be empty
  std::string unfinished;  // why the kernel did not come to its end; empty if it did
};

// Where Oclgrind's driver is; where Debian has it if it is nowhere.
[[nodiscard]] std::string oclgrind_library();

// Runs the kernel once on the simulator, whose driver is `library`. A kernel that its compiler
// refuses or that takes longer than the limits is unfinished, with what was found until then.
// Errors are those of the run; of kind no_device where Oclgrind is missing.
[[nodiscard]] Result<Simulation> run_under_oclgrind(const worker::Job& kernel,
                                                    const std::string& library,
                                                    worker::Options options);

// The log taken apart; those that are alike are one.
[[nodiscard]] std::vector<SimulatorFinding> findings_in(std::string_view log);

}  // namespace vyre::trial
