#include "schedule/fission.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "ir/names.h"
#include "schedule/coarsen.h"
#include "schedule/contract.h"
#include "schedule/inside.h"
#include "schedule/interchange.h"
#include "schedule/loop_lanes.h"
#include "schedule/parameters.h"
#include "schedule/promising.h"
#include "schedule/side_by_side.h"
#include "schedule/slice.h"
#include "schedule/space_maker.h"
#include "schedule/steps.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

constexpr std::string_view what = "schedule two parts apart";
constexpr std::string_view of_second = "_2";

constexpr std::array fission_parameters = {
    Parameter{fission_name, "1: outputs that do not need each other are scheduled apart", 0},
    Parameter{"contract_2", "the same for the second part", 0},
    Parameter{"loop_vector_2", "the same for the second part"},
    Parameter{"loop_parts_2", "the same for the second part"},
    Parameter{"inside_2", "the same for the second part", 0},
    Parameter{"interchange_2", "the same for the second part"},
    Parameter{"unroll_2", "the same for the second part"},
    Parameter{"vector_2", "the same for the second part"},
    Parameter{"items_x_2", "the same for the second part"},
    Parameter{"items_y_2", "the same for the second part"},
    Parameter{"items_z_2", "the same for the second part"},
    Parameter{"order_2", "the same for the second part", 0, order_words},
};

// "vector" of "vector_2".
std::string_view first_name(std::string_view second) {
  return second.substr(0, second.size() - of_second.size());
}

std::span<const Parameter> second_parameters() { return std::span(fission_parameters).subspan(1); }

bool has_second(std::string_view name) {
  return std::ranges::any_of(second_parameters(), [&](const Parameter& parameter) {
    return first_name(parameter.name) == name;
  });
}

std::string second_name(std::string_view first) { return fmt::format("{}{}", first, of_second); }

// The schedules of the parts.
Schedule schedule_of_part(const Schedule& whole, bool second) {
  Schedule part = whole;
  part.set(fission_name, 0U);
  for (const Parameter& parameter : second_parameters()) {
    if (second) part.set(first_name(parameter.name), whole[parameter.name]);
    part.set(parameter.name, parameter.initial);
  }
  return part;
}

bool is_own_step(const Step& step) { return &step == &fission_step || &step == &workgroup_step; }

Result<ir::Program> scheduled(const ir::Program& part, const Schedule& schedule) {
  Result<ir::Program> made = part;
  for (const Step* step : steps()) {
    if (made && !is_own_step(*step)) made = step->apply(*made, schedule);
  }
  return made;
}

// Whether an invocation goes along memory by itself, not with its neighbours: then vectors along
// loops suit it, else vectors across invocations.
bool goes_along(const ir::Program& part) {
  const auto known = features(part);
  return known && (*known)["loads_along"] > (*known)["loads_contiguous"];
}

// Those that access memory as the first does, and the others; where all are alike, the first and
// the rest.
std::array<Outputs, 2> halves(const ir::Program& program, std::span<const Outputs> groups) {
  std::array<Outputs, 2> made = {groups.front(), {}};
  const bool along = goes_along(slice_of(program, groups.front()));
  std::vector<Outputs> alike;
  for (const Outputs& group : groups.subspan(1)) {
    const bool same = goes_along(slice_of(program, group)) == along;
    if (same) alike.push_back(group);
    if (!same) made[1].insert(made[1].end(), group.begin(), group.end());
  }
  Outputs& home = made[1].empty() ? made[1] : made[0];
  for (const Outputs& group : alike) home.insert(home.end(), group.begin(), group.end());
  return made;
}

// The least, the greatest and every other value between: two parts have many combinations.
std::vector<space::Value> thinned(const std::vector<space::Value>& values) {
  std::vector<space::Value> made;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || (values.size() - 1 - i) % 2 == 0) made.push_back(values[i]);
  }
  return made;
}

// A constraint with other names: those of the second part.
std::string for_second(std::string_view constraint) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::string made;
  for (std::size_t at = 0; at < constraint.size();) {
    std::size_t end = at;
    while (end < constraint.size() && is_word(constraint[end])) ++end;
    const std::string_view word = constraint.substr(at, end - at);
    made += has_second(word) ? second_name(word) : std::string(word);
    if (end == at) made += constraint[end++];
    at = end;
  }
  return made;
}

// What the steps of a part would declare for it alone.
SpaceMaker space_of_part(const ir::Program& part, const SpaceMaker& whole, const Shape& shape) {
  SpaceMaker space(part, whole.limits(), shape, whole.uniforms());
  for (const Step* step : declared_steps()) {
    const bool own = step == &workgroup_step || has_second(step->parameters.front().name);
    if (own) step->declare(space);
  }
  return space;
}

std::string initial_text(std::string_view name) {
  const auto at = find_parameter(name);
  return list_text(std::array{value_of(name, parameters()[*at].initial)});
}

// Of the first part: the whole's parameters, but only what suits the part.
void limit_first(SpaceMaker& space, const SpaceMaker& part) {
  for (const space::Parameter& parameter : space.parameters()) {
    if (std::ranges::find(workgroup_names, parameter.name) != workgroup_names.end()) continue;
    const space::Parameter* own = has_second(parameter.name) ? part.find(parameter.name) : nullptr;
    space.constraint(fmt::format(
        "{} == 0 or {} in {}", fission_name, parameter.name,
        own == nullptr ? initial_text(parameter.name) : list_text(thinned(own->values))));
  }
}

void declare_second(SpaceMaker& space, const SpaceMaker& part) {
  for (const space::Parameter& parameter : part.parameters()) {
    if (!has_second(parameter.name)) continue;
    const std::string name = second_name(parameter.name);
    space.parameter({name, thinned(parameter.values)});
    space.constraint(fmt::format("{} == 1 or {} in {}", fission_name, name, initial_text(name)));
  }
  for (const std::string& constraint : part.constraints()) {
    space.constraint(for_second(constraint));
  }
}

void declare_fission(SpaceMaker& space) {
  if (!space.independent()) return;
  const auto parts = parts_of(space.program());
  if (!parts || !side_by_side(space.program(), (*parts)[0], (*parts)[1])) return;
  const auto first = launch_shape((*parts)[0], space.uniforms());
  const auto second = launch_shape((*parts)[1], space.uniforms());
  if (!first || !second) return;
  limit_first(space, space_of_part((*parts)[0], space, *first));
  space.parameter(fission_name, std::array{0U, 1U});
  declare_second(space, space_of_part((*parts)[1], space, *second));
}

Result<ir::Program> take_fission(const ir::Program& program, const Schedule& schedule) {
  return is_split(schedule) ? split(program, schedule) : program;
}

std::vector<NamedValue> both_configurations(const Example& first, const Example& second) {
  std::vector<NamedValue> made = {{std::string(fission_name), std::int64_t{1}}};
  for (const NamedValue& value : first.configuration) {
    const bool of_workgroup =
        std::ranges::find(workgroup_names, value.name) != workgroup_names.end();
    if (of_workgroup || has_second(value.name)) made.push_back(value);
  }
  for (const NamedValue& value : second.configuration) {
    if (has_second(value.name)) made.push_back({second_name(value.name), value.value});
  }
  return made;
}

}  // namespace

constinit const Step fission_step = {fission_parameters, declare_fission, take_fission};

Result<Parts> parts_of(const ir::Program& program) {
  if (auto fine = check_independent(program, what); !fine) return Unexpected(fine.error());
  const ir::Program unique = ir::with_unique_names(program);
  const auto groups = independent_outputs(unique);
  if (groups.size() < 2) return refuse(what, "no output is independent of the others");
  const auto [first, second] = halves(unique, groups);
  return Parts{slice_of(unique, first), slice_of(unique, second)};
}

bool is_split(const Schedule& schedule) { return schedule[fission_name] != 0; }

Result<ir::Program> split(const ir::Program& program, const Schedule& schedule) {
  VYRE_TRY(const Parts parts, parts_of(program));
  VYRE_TRY(const auto first, scheduled(parts[0], schedule_of_part(schedule, false)));
  VYRE_TRY(const auto second, scheduled(parts[1], schedule_of_part(schedule, true)));
  for (const ir::Program& part : {first, second}) {
    if (auto fine = check_independent(part, what); !fine) return Unexpected(fine.error());
  }
  return side_by_side(program, first, second);
}

std::vector<Example> split_examples(const Features& whole, std::span<const Features> parts,
                                    std::span<const Example> examples, std::size_t most) {
  std::vector<Example> made;
  if (parts.size() != 2) return made;
  const auto first = by_distance(parts[0], examples);
  const auto second = by_distance(parts[1], examples);
  for (std::size_t i = 0; i < std::min(most, examples.size()); ++i) {
    made.push_back({.program = fmt::format("{}, {}", first[i]->program, second[i]->program),
                    .gain = std::min(first[i]->gain, second[i]->gain),
                    .features = whole,
                    .configuration = both_configurations(*first[i], *second[i])});
  }
  return made;
}

}  // namespace vyre::schedule
