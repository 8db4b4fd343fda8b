#include "cli/tune_explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/print.h"
#include "cli/text.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;

// "24.0 MB", "12 flop".
std::string amount_text(std::uint64_t amount, std::string_view unit) {
  constexpr std::array<const char*, 5> prefixes = {"", "k", "M", "G", "T"};
  auto number = static_cast<double>(amount);
  std::size_t at = 0;
  for (; number >= 999.5 && at + 1 < prefixes.size(); ++at) number /= 1000;
  const int after = at == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}{}", number, after, prefixes[at], unit);
}

// "vector=1,2,4", "wg_x=1..1024".
std::string choice_text(const space::Parameter& parameter) {
  constexpr std::size_t most = 5;
  std::vector<std::string> texts;
  for (const space::Value& value : parameter.values) texts.push_back(space::to_string(value));
  const std::string all = texts.size() > most ? fmt::format("{}..{}", texts.front(), texts.back())
                                              : fmt::format("{}", fmt::join(texts, ","));
  return fmt::format("{}={}", parameter.name, all);
}

// "read 8.00 MB, update 8.00 MB".
std::string moved_text(const tune::Work& work) {
  std::vector<std::string> parts;
  const auto add = [&](const char* verb, std::uint64_t bytes) {
    if (bytes > 0) parts.push_back(fmt::format("{} {}", verb, amount_text(bytes, "B")));
  };
  add("read", work.read_bytes);
  add("write", work.written_bytes);
  add("update", work.updated_bytes);
  return parts.empty() ? "move nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string bound_text(const Explanation& explained) {
  const tune::Work& work = explained.work;
  const std::string memory =
      fmt::format("{} to {}", time_text(explained.bound.memory_ns), moved_text(work));
  const std::string arithmetic =
      fmt::format("{} for {}{}", time_text(explained.bound.arithmetic_ns),
                  work.exact ? "" : "at least ", amount_text(work.operations, "flop"));
  const bool by_memory = explained.bound.limit() == tune::Limit::memory;
  return fmt::format("bound by {}: {}; {}", to_string(explained.bound.limit()),
                     by_memory ? memory : arithmetic, by_memory ? arithmetic : memory);
}

// The choices that steps leave; of the others, why there is none.
std::string steps_text(const std::vector<schedule::StepVerdict>& steps) {
  std::string choices;
  std::string refused;
  for (const schedule::StepVerdict& step : steps) {
    for (const space::Parameter& parameter : step.parameters) {
      choices += fmt::format(" {}", choice_text(parameter));
    }
    if (step.parameters.empty()) refused += fmt::format("  no {}: {}\n", step.step, step.refused);
  }
  if (!choices.empty()) choices = fmt::format("  choices:{}\n", choices);
  return choices + refused;
}

Json step_json(const schedule::StepVerdict& step) {
  if (step.parameters.empty()) return {{"step", step.step}, {"refused", step.refused}};
  Json values = Json::object();
  for (const space::Parameter& parameter : step.parameters) {
    Json& list = values[parameter.name] = Json::array();
    for (const space::Value& value : parameter.values) {
      std::visit([&](const auto& one) { list.push_back(one); }, value);
    }
  }
  return {{"step", step.step}, {"values", values}};
}

}  // namespace

Result<Explanation> explanation_of(const Problem& problem, double elapsed_ns,
                                   const device::Adapter& adapter, tune::RoofMeter& roof) {
  const ir::Program& program = problem.family.members->baseline();
  const ir::Uniforms& uniforms = problem.workload.uniforms;
  Explanation made{.elapsed_ns = elapsed_ns};
  VYRE_TRY(made.work, tune::work_of(program, uniforms));
  VYRE_TRY(made.roof, roof.at(made.work.bytes()));
  made.bound = tune::bound_of(made.work, made.roof);
  if (!problem.is_file) return made;
  VYRE_TRY(made.steps, schedule::explain(program, tune::schedule_limits(adapter.limits), uniforms));
  return made;
}

std::string explanation_text(const std::string& name, const Explanation& explanation) {
  return printable(fmt::format("{}: {}\n  it takes {}: {:.2f} of what {} allows\n{}", name,
                               bound_text(explanation), time_text(explanation.elapsed_ns),
                               explanation.reached(), to_string(explanation.bound.limit()),
                               steps_text(explanation.steps)));
}

Json explanation_json(const Explanation& explanation) {
  const auto& [steps, work, roof, bound, elapsed] = explanation;
  Json made = {{"read_bytes", work.read_bytes},
               {"written_bytes", work.written_bytes},
               {"updated_bytes", work.updated_bytes},
               {"float_operations", work.operations},
               {"exact", work.exact},
               {"read_bytes_per_ns", roof.read_bytes},
               {"written_bytes_per_ns", roof.written_bytes},
               {"float_operations_per_ns", roof.operations},
               {"memory_ns", bound.memory_ns},
               {"arithmetic_ns", bound.arithmetic_ns},
               {"bound_by", to_string(bound.limit())},
               {"bound_ns", bound.ns()},
               {"reached", explanation.reached()},
               {"steps", Json::array()}};
  for (const schedule::StepVerdict& step : steps) made["steps"].push_back(step_json(step));
  return made;
}

}  // namespace vyre::cli
