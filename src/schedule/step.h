// A step: a function from a program to a program that computes the same, the parameters that say
// how it is taken, and those of their values that are worth a try for a program.
//
// Each step is one file; steps.cpp lists them. Here is also what all of them have in common: when
// the workgroup stands in their way, and how they end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/schedule/schedule.h"

namespace vyre::schedule {

class SpaceMaker;
struct SumStages;

struct Step {
  std::span<const Parameter> parameters;
  // Gives a space those parameters that can matter for its program, and their constraints.
  void (*declare)(SpaceMaker& space);
  // Refuses, with the reason, where the step is not legal.
  Result<ir::Program> (*apply)(const ir::Program& program, const Schedule& schedule);
  // Sets what the program as it is has other than initially; none: nothing.
  void (*read)(const ir::Program& program, Schedule& schedule) = nullptr;
  // Schedules to try first, whatever was learned, in a space that has the first of the parameters:
  // as text, over the program as it is.
  std::span<const std::string_view> guesses = {};
  // A value of the first parameter that examples are tried with which know nothing of the step,
  // where that is valid.
  std::optional<std::uint32_t> favoured = {};
  // The two stages that it makes with more than one group, of which the first parameter says how
  // many there are; see schedule/split_sums.h.
  Result<SumStages> (*stages)(const ir::Program& program, std::uint32_t groups) = nullptr;
};

// More statements than this is no program that a compiler should be given.
inline constexpr std::size_t max_statements = 4096;

[[nodiscard]] std::size_t statement_count(const ir::Block& block);

// "cannot <what>: <why>", in the place of a statement, which is quoted.
[[nodiscard]] Failure refuse(std::string_view what, std::string_view why, Place place = {});
[[nodiscard]] Failure refuse(std::string_view what, const ir::Stmt& stmt, std::string_view why);

// Refuses a program with stages: a step changes one kernel.
[[nodiscard]] Result<void> check_one_stage(const ir::Program& program, std::string_view what);

// Refuses a program whose result can depend on how invocations are grouped: barriers, shared
// memory, local and group ids, sizes that name the workgroup. Where it does not, invocations are
// independent of each other: they share no element that one of them writes, but by atomic adds,
// which commute. Then any order and any interleaving of them gives the same result.
[[nodiscard]] Result<void> check_independent(const ir::Program& program, std::string_view what);

// The program, if it is valid and not too long.
[[nodiscard]] Result<ir::Program> finished(ir::Program program, std::string_view what);

}  // namespace vyre::schedule
