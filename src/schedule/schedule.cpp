#include "vyre/schedule/schedule.h"

#include <fmt/format.h>

#include <array>

#include "base/check.h"
#include "base/memory.h"
#include "schedule/fission.h"
#include "schedule/parameters.h"
#include "schedule/settings.h"
#include "schedule/split_sums.h"
#include "schedule/steps.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

std::size_t place_of(std::string_view parameter) {
  const auto at = find_parameter(parameter);
  check(at.has_value(), "a schedule has the parameters of its steps");
  return *at;
}

// The first stage takes the other steps.
Result<ir::Program> in_stages(const ir::Program& program, const Schedule& schedule,
                              const Step& step) {
  const std::string_view groups = step.parameters.front().name;
  VYRE_TRY(SumStages stages, step.stages(program, schedule[groups]));
  Schedule rest = schedule;
  rest.set(groups, 1U);
  VYRE_TRY(stages.parts, apply(stages.parts, rest));
  return joined(program, stages);
}

}  // namespace

Schedule::Schedule() {
  for (const Parameter& parameter : parameters()) values_.push_back(parameter.initial);
}

std::uint32_t Schedule::operator[](std::string_view parameter) const {
  return values_[place_of(parameter)];
}

void Schedule::set(std::string_view parameter, std::uint32_t value) {
  values_[place_of(parameter)] = value;
}

Result<void> Schedule::set(std::string_view parameter, std::string_view value) {
  const auto at = find_parameter(parameter);
  if (!at) {
    return fail(ErrorKind::input, fmt::format("a schedule has no parameter '{}'", parameter));
  }
  const auto read = parse_value(parameters()[*at], value);
  if (!read) return Unexpected(read.error());
  values_[*at] = *read;
  return {};
}

Schedule default_schedule(const ir::Program& program) {
  Schedule schedule;
  for (const Step* step : steps()) {
    if (step->read != nullptr) step->read(program, schedule);
  }
  return schedule;
}

std::string to_string(const Schedule& schedule) {
  std::string text;
  for (const Parameter& parameter : parameters()) {
    const std::string_view name = parameter.name;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                        space::to_string(value_of(name, schedule[name])));
  }
  return text;
}

Result<Schedule> parse_schedule(std::string_view text, Schedule from) {
  const auto settings = parse_settings(text);
  if (!settings) return Unexpected(settings.error());
  Schedule schedule = std::move(from);
  for (const Setting& setting : *settings) {
    auto set = schedule.set(setting.name, setting.value);
    if (!set) return Unexpected(set.error());
  }
  return schedule;
}

Result<ir::Program> apply(const ir::Program& program, const Schedule& schedule) {
  return within_memory([&] {
    if (ir::has_stages(program) && schedule != default_schedule(program)) {
      return Result<ir::Program>(
          Unexpected(check_one_stage(program, "schedule it differently").error()));
    }
    for (const Step* step : steps()) {
      const bool splits = step->stages != nullptr && schedule[step->parameters.front().name] > 1;
      if (splits) return in_stages(program, schedule, *step);
    }
    Result<ir::Program> made = program;
    if (is_split(schedule)) {  // its parts take the other steps
      made = workgroup_step.apply(program, schedule);
      return made ? split(*made, schedule) : made;
    }
    for (const Step* step : steps()) {
      if (made) made = step->apply(*made, schedule);
    }
    return made;
  });
}

}  // namespace vyre::schedule
