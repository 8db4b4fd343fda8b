#include "schedule/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/steps.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

// Its parameters, or the first of many.
std::string step_name(const Step& step) {
  constexpr std::size_t many = 5;
  if (step.parameters.size() >= many) return std::string(step.parameters.front().name);
  std::string text;
  for (const Parameter& parameter : step.parameters) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", parameter.name);
  }
  return text;
}

// Those of the space in which there is a choice.
std::vector<space::Parameter> choices_of(const Step& step, const space::Definition& space) {
  std::vector<space::Parameter> made;
  for (const Parameter& parameter : step.parameters) {
    const auto found = std::ranges::find(space.parameters, parameter.name, &space::Parameter::name);
    if (found != space.parameters.end() && found->values.size() > 1) made.push_back(*found);
  }
  return made;
}

// The smallest one that changes something: another word, or twice as much.
std::uint32_t next_value(const Parameter& parameter, std::uint32_t now) {
  if (parameter.words.empty()) return now == 0 ? 1 : 2 * now;
  return (now + 1) % static_cast<std::uint32_t>(parameter.words.size());
}

// The step as little as it can be taken, in a workgroup of two wherever the grid has two.
Schedule smallest(const Step& step, const ir::Program& program, const Extent& grid) {
  const Schedule as_it_is = default_schedule(program);
  Schedule made = as_it_is;
  for (std::size_t dim = 0; dim < grid.size(); ++dim) {
    made.set(workgroup_names[dim], std::min(grid[dim], 2U));
  }
  for (const Parameter& parameter : step.parameters) {
    made.set(parameter.name, next_value(parameter, as_it_is[parameter.name]));
  }
  return made;
}

// Without the part that says what was tried: see refuse.
std::string reason_in(const std::string& message) {
  const std::size_t colon = message.find(": ");
  return message.starts_with("cannot ") && colon != std::string::npos ? message.substr(colon + 2)
                                                                      : message;
}

std::string refusal(const Step& step, const ir::Program& program, const Extent& grid) {
  if (const auto simple = check_one_stage(program, "take it"); !simple) {
    return reason_in(simple.error().message);
  }
  const auto made = step.apply(program, smallest(step, program, grid));
  if (!made) return reason_in(made.error().message);
  return "it is legal, but the grid, the device or other steps leave it nothing to choose";
}

}  // namespace

Result<std::vector<StepVerdict>> explain(const ir::Program& program, const Limits& limits,
                                         const ir::Uniforms& uniforms) {
  VYRE_TRY(const auto shape, launch_shape(program, uniforms));
  VYRE_TRY(const auto space, schedule_space(program, limits, uniforms));
  std::vector<StepVerdict> made;
  for (const Step* step : steps()) {
    StepVerdict verdict{.step = step_name(*step), .parameters = choices_of(*step, space)};
    if (verdict.parameters.empty()) verdict.refused = refusal(*step, program, shape.grid);
    made.push_back(std::move(verdict));
  }
  return made;
}

}  // namespace vyre::schedule
