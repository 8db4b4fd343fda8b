#include "cli/tune_summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/table.h"
#include "cli/time_text.h"
#include "cli/tune_progress.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;

std::array<std::size_t, tune::verdict_kinds> verdicts_of(const tune::Tuning& tuning) {
  std::array<std::size_t, tune::verdict_kinds> verdicts = {};
  for (const tune::Attempt& attempt : tuning.attempts) {
    ++verdicts[static_cast<std::size_t>(attempt.outcome.verdict)];
  }
  return verdicts;
}

std::string tuned_text(const store::Elapsed& elapsed) {
  return fmt::format("{} ({})", time_text(elapsed.ns), interval_text({elapsed.low, elapsed.high}));
}

std::string gain_text(const TunedProgram& program) {
  const store::Evidence& evidence = *program.decision.evidence;
  if (!program.tuning) {
    return evidence.default_ns ? fmt::format("{:.2f}", *evidence.default_ns / evidence.elapsed.ns)
                               : "-";
  }
  if (program.tuning->tied) return "tied with the default";
  return ratio_text(program.tuning->speedup, program.tuning->speedup_interval);
}

std::string source_text(const TunedProgram& program) {
  if (!program.tuning) {
    return "exact match of " + store::to_string(program.decision.evidence->date).substr(0, 10);
  }
  const std::string failures = failures_text(verdicts_of(*program.tuning));
  return fmt::format("{} tried{}{}", program.tuning->attempts.size(),
                     failures.empty() ? "" : ", failed: ", failures);
}

Json as_json(const TunedProgram& program) {
  const store::Evidence& evidence = *program.decision.evidence;
  Json configuration = Json::object();
  for (const store::Setting& setting : evidence.configuration) {
    std::visit([&](const auto& value) { configuration[setting.name] = value; }, setting.value);
  }
  Json made = {{"file", program.file},
               {"program", program.name},
               {"key", to_string(program.decision.key)},
               {"match", program.tuning ? "tuned" : "exact"},
               {"workgroup", program.decision.workgroup},
               {"configuration", configuration},
               {"default_ns", evidence.default_ns ? Json(*evidence.default_ns) : Json(nullptr)},
               {"time_ns", evidence.elapsed.ns},
               {"time_interval_ns", {evidence.elapsed.low, evidence.elapsed.high}},
               {"samples", evidence.samples},
               {"strategy", evidence.strategy},
               {"date", store::to_string(evidence.date)}};
  if (!program.tuning) return made;
  const tune::Tuning& tuning = *program.tuning;
  Json failures = Json::object();
  const auto verdicts = verdicts_of(tuning);
  for (std::size_t i = 1; i < verdicts.size(); ++i) {
    failures[std::string(name_of(static_cast<trial::Verdict>(i)))] = verdicts[i];
  }
  made.update({{"evaluations", tuning.attempts.size()},
               {"failures", failures},
               {"speedup", tuning.speedup},
               {"speedup_interval", {tuning.speedup_interval.low, tuning.speedup_interval.high}},
               {"tied", tuning.tied}});
  return made;
}

}  // namespace

std::string changed_text(const tune::Family& family, space::Index member) {
  const auto values = family.space.values(member);
  const auto originals = family.space.values(family.original);
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (space::same(values[i], originals[i])) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", family.space.parameters()[i].name,
                        space::to_string(values[i]));
  }
  return text.empty() ? "as it is" : text;
}

std::string summary_table(const std::vector<TunedProgram>& programs) {
  std::vector<std::vector<std::string>> rows = {
      {"PROGRAM", "DEFAULT", "TUNED (95 %)", "SPEED-UP (95 %)", "CONFIGURATION", "HOW"}};
  for (const TunedProgram& program : programs) {
    const store::Evidence& evidence = *program.decision.evidence;
    rows.push_back({program.name, evidence.default_ns ? time_text(*evidence.default_ns) : "-",
                    tuned_text(evidence.elapsed), gain_text(program), program.configuration,
                    source_text(program)});
  }
  return table(rows);
}

std::string summary_json(const device::Adapter& adapter,
                         const std::vector<TunedProgram>& programs) {
  Json rows = Json::array();
  for (const TunedProgram& program : programs) rows.push_back(as_json(program));
  const Json all = {{"device", adapter.id()}, {"name", adapter.name}, {"programs", rows}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vyre::cli
