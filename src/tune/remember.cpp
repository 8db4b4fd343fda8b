#include "tune/remember.h"

#include <fmt/format.h>

#include <algorithm>

#include "run/sizes.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/schedule/schedule_space.h"

namespace vyre::tune {
namespace {

std::unexpected<Error> refuse(const Family& family, std::string why) {
  return fail(ErrorKind::input,
              fmt::format("the decision is not one of {}: {}", family.name, std::move(why)));
}

// The original with the decision's workgroup and settings put over it.
Result<std::vector<space::Value>> values_of(const Family& family, const store::Decision& decision) {
  const auto parameters = family.space.parameters();
  std::vector<space::Value> values = family.space.values(family.original);
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

using Values = std::span<const space::Value>;

// Without the parameters whose values are those in `except`.
std::string text_of(const Family& family, Values values, Values except = {}) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!except.empty() && space::same(values[i], except[i])) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", family.space.parameters()[i].name,
                        space::to_string(values[i]));
  }
  return text;
}

}  // namespace

Result<store::Dispatch> dispatch_of(const ir::Program& program, const ir::Uniforms& uniforms) {
  const auto shape = ir::launch_shape(program, uniforms);
  if (!shape) return std::unexpected(shape.error());
  store::Dispatch dispatch{
      .program = ir::fingerprint(program), .workgroup = shape->workgroup, .groups = shape->groups};
  for (const ir::Buffer& buffer : run::global_buffers(program)) {
    const auto bytes = run::bytes_of(program, buffer, uniforms);
    if (!bytes) return std::unexpected(bytes.error());
    (buffer.access == Access::read ? dispatch.input_bytes : dispatch.output_bytes) += *bytes;
  }
  return dispatch;
}

Choice choice_of(const Tuning& tuning, std::string strategy) {
  const Judgement& judgement = tuning.judgement;
  return {.member = tuning.winner(),
          .elapsed = judgement.elapsed,
          .baseline = judgement.baseline,
          .samples = judgement.samples,
          .strategy = std::move(strategy)};
}

Result<store::Decision> decision_of(const Family& family, const store::Dispatch& dispatch,
                                    const Choice& choice) {
  const auto program = family.member(choice.member);
  if (!program) return std::unexpected(program.error());
  store::Evidence evidence{.dispatch = dispatch,
                           .program_name = family.name.substr(0, store::max_text),
                           .configuration = {},
                           .elapsed = choice.elapsed,
                           .baseline = choice.baseline,
                           .samples = choice.samples,
                           .strategy = choice.strategy,
                           .vyre = {},
                           .driver = {}};
  const auto values = family.space.values(choice.member);
  for (std::size_t i = 0; i < values.size(); ++i) {
    evidence.configuration.push_back({family.space.parameters()[i].name, values[i]});
  }
  return store::decide(program->workgroup, std::move(evidence));
}

Result<space::Index> member_of(const Family& family, const store::Decision& decision) {
  const auto values = values_of(family, decision);
  if (!values) return std::unexpected(values.error());
  const auto index = family.space.find(*values);
  if (!index) return refuse(family, "there is no " + text_of(family, *values));
  const auto program = family.member(*index);
  if (!program) return std::unexpected(program.error());
  if (program->workgroup != decision.workgroup) {
    const auto& [x, y, z] = decision.workgroup;
    return refuse(family, fmt::format("{} does not have workgroups of {} x {} x {}",
                                      text_of(family, *values), x, y, z));
  }
  return *index;
}

std::string configuration_text(const Family& family, space::Index member) {
  return text_of(family, family.space.values(member));
}

std::string changed_text(const Family& family, space::Index member) {
  const auto originals = family.space.values(family.original);
  const std::string text = text_of(family, family.space.values(member), originals);
  return text.empty() ? "as it is" : text;
}

}  // namespace vyre::tune
