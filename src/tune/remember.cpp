#include "tune/remember.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/schedule_space.h"

namespace vyre::tune {
namespace {

Failure refuse(const Family& family, std::string why) {
  return fail(ErrorKind::input,
              fmt::format("the decision is not one of {}: {}", family.name, std::move(why)));
}

// The baseline with the decision's workgroup and settings put over it.
Result<std::vector<space::Value>> values_of(const Family& family, const store::Decision& decision) {
  const auto parameters = family.space.parameters();
  std::vector<space::Value> values = family.space.values(family.baseline);
  schedule::put_workgroup(decision.workgroup, parameters, values);
  if (!decision.evidence) return values;
  for (const store::Setting& setting : decision.evidence->configuration) {
    const auto at = std::ranges::find(parameters, setting.name, &space::Parameter::name);
    if (at == parameters.end()) {
      return refuse(family, fmt::format("it has no parameter {}", setting.name));
    }
    values[static_cast<std::size_t>(at - parameters.begin())] = setting.value;
  }
  return values;
}

}  // namespace

Result<store::Decision> decision_of(const Family& family, space::Index member,
                                    const Judgement& judgement, std::string strategy) {
  const auto workgroup = family.members->workgroup(member);
  if (!workgroup) return Unexpected(workgroup.error());
  store::Evidence evidence{.dispatch = family.dispatch,
                           .program_name = family.name.substr(0, store::max_text),
                           .configuration = {},
                           .elapsed = judgement.elapsed,
                           .baseline = judgement.baseline,
                           .samples = judgement.samples,
                           .strategy = std::move(strategy),
                           .vyre = {},
                           .driver = {}};
  if (family.features) evidence.features = schedule::to_string(*family.features);
  const auto values = family.space.values(member);
  for (std::size_t i = 0; i < values.size(); ++i) {
    evidence.configuration.push_back({family.space.parameters()[i].name, values[i]});
  }
  return store::decide(*workgroup, std::move(evidence));
}

Result<space::Index> member_of(const Family& family, const store::Decision& decision) {
  const auto values = values_of(family, decision);
  if (!values) return Unexpected(values.error());
  const auto index = family.space.find(*values);
  if (!index) return refuse(family, "there is no " + text_of(family, *values));
  const auto workgroup = family.members->workgroup(*index);
  if (!workgroup) return Unexpected(workgroup.error());
  if (*workgroup != decision.workgroup) {
    const auto& [x, y, z] = decision.workgroup;
    return refuse(family, fmt::format("{} does not have workgroups of {} x {} x {}",
                                      text_of(family, *values), x, y, z));
  }
  return *index;
}

}  // namespace vyre::tune
