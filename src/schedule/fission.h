// The step that gives outputs of a program which do not need each other schedules of their own:
// one launch in which some invocations compute the first part and the others the second.
//
// Rows and columns of a matrix, read by one program, want vectors, items and unrolling of different
// kinds; no schedule is good for both. Parameters with the ending _2 are those of the second part.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/examples.h"
#include "schedule/features.h"
#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step fission_step;

inline constexpr std::string_view fission_name = "fission";

using Parts = std::array<ir::Program, 2>;

// The first output with those that access memory as it does, and the rest. Refuses a program that
// has one output, whose outputs need each other, or that needs all three dimensions of the grid.
[[nodiscard]] Result<Parts> parts_of(const ir::Program& program);

[[nodiscard]] bool is_split(const Schedule& schedule);
// The parts, each with the steps of its schedule but for the workgroup's, side by side.
[[nodiscard]] Result<ir::Program> split(const ir::Program& program, const Schedule& schedule);

// Schedules for the whole, made of what was good for programs that are like its parts: the nearest
// of the one with the nearest of the other, and so on. They have the features of the whole.
[[nodiscard]] std::vector<Example> split_examples(const Features& whole,
                                                  std::span<const Features> parts,
                                                  std::span<const Example> examples,
                                                  std::size_t most = 2);

}  // namespace vyre::schedule
