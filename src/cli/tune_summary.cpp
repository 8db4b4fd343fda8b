#include "cli/tune_summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/text.h"
#include "cli/tune_progress.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;

std::array<std::size_t, verdict_kinds> verdicts_of(const tune::Tuning& tuning) {
  std::array<std::size_t, verdict_kinds> verdicts = {};
  for (const tune::Attempt& attempt : tuning.attempts) {
    ++verdicts[static_cast<std::size_t>(attempt.outcome.verdict)];
  }
  return verdicts;
}

std::string elapsed_text(const measure::Estimate& elapsed) {
  return estimate_text(elapsed.value, elapsed.interval);
}

std::string default_text(const store::Evidence& evidence) {
  return evidence.baseline ? elapsed_text(evidence.baseline->elapsed) : "-";
}

std::string source_text(const TunedProgram& program) {
  if (!program.tuning) {
    return "exact match of " + store::to_string(program.decision.evidence->date).substr(0, 10);
  }
  const std::string failures = failures_text(verdicts_of(*program.tuning));
  return fmt::format("{} tried{}{}", program.tuning->attempts.size(),
                     failures.empty() ? "" : ", failed: ", failures);
}

void add_tuning(Json& into, const tune::Tuning& tuning) {
  Json failures = Json::object();
  const auto verdicts = verdicts_of(tuning);
  for (std::size_t i = 1; i < verdicts.size(); ++i) {
    failures[std::string(name_of(static_cast<Verdict>(i)))] = verdicts[i];
  }
  into.update({{"evaluations", tuning.attempts.size()},
               {"failures", failures},
               {"accepted", tuning.accepted},
               {"gain", to_string(tuning.judgement.gain)},
               {"tied", tuning.judgement.gain == tune::Gain::tied}});
}

Json as_json(const TunedProgram& program) {
  const store::Evidence& evidence = *program.decision.evidence;
  Json configuration = Json::object();
  for (const store::Setting& setting : evidence.configuration) {
    std::visit([&](const auto& value) { configuration[setting.name] = value; }, setting.value);
  }
  Json made = {
      {"file", program.file},
      {"program", program.name},
      {"key", to_string(program.decision.key)},
      {"match", program.tuning ? "tuned" : "exact"},
      {"workgroup", program.decision.workgroup},
      {"configuration", configuration},
      {"time_ns", evidence.elapsed.value},
      {"time_interval_ns", {evidence.elapsed.interval.low, evidence.elapsed.interval.high}},
      {"samples", evidence.samples},
      {"strategy", evidence.strategy},
      {"date", store::to_string(evidence.date)},
      {"remembered", program.remembered}};
  if (!program.remembered) made["not_remembered"] = program.not_remembered;
  if (evidence.baseline) {
    const auto& [elapsed, speedup] = *evidence.baseline;
    made.update({{"default_ns", elapsed.value},
                 {"default_interval_ns", {elapsed.interval.low, elapsed.interval.high}},
                 {"speedup", speedup.value},
                 {"speedup_interval", {speedup.interval.low, speedup.interval.high}}});
  }
  if (program.tuning) add_tuning(made, *program.tuning);
  if (program.reordering_gain) made["reordering_gain"] = *program.reordering_gain;
  if (program.explanation) made["explain"] = explanation_json(*program.explanation);
  return made;
}

Json as_json(const FailedProgram& program) {
  return {{"file", program.file},
          {"program", program.name},
          {"match", "failed"},
          {"reason", program.reason},
          {"remembered", false}};
}

std::vector<std::string> cells(const TuneRow& row) {
  if (!row) return {row.error().name, "-", "-", "-", "-", "failed"};
  const store::Evidence& evidence = *row->decision.evidence;
  return {row->name,       default_text(evidence), elapsed_text(evidence.elapsed),
          gain_text(*row), row->configuration,     source_text(*row)};
}

}  // namespace

std::string gain_text(const TunedProgram& program) {
  if (program.tuning && program.tuning->judgement.gain != tune::Gain::faster) {
    return std::string(to_string(program.tuning->judgement.gain));
  }
  const auto& baseline = program.decision.evidence->baseline;
  if (!baseline) return "-";
  return ratio_text(baseline->speedup.value, baseline->speedup.interval);
}

std::string summary_table(std::span<const TuneRow> rows) {
  std::vector<std::vector<std::string>> made = {
      {"PROGRAM", "DEFAULT (95 %)", "TUNED (95 %)", "SPEED-UP (95 %)", "CONFIGURATION", "HOW"}};
  for (const TuneRow& row : rows) made.push_back(cells(row));
  return table(made);
}

std::string explanations_text(std::span<const TuneRow> rows) {
  std::string text;
  for (const TuneRow& row : rows) {
    if (row && row->explanation) text += explanation_text(row->name, *row->explanation);
  }
  return text;
}

std::string summary_json(const device::Adapter* adapter, std::span<const TuneRow> rows) {
  Json programs = Json::array();
  for (const TuneRow& row : rows) {
    programs.push_back(row ? as_json(*row) : as_json(row.error()));
  }
  return json_text({{"device", adapter != nullptr ? Json(adapter->id()) : Json()},
                    {"name", adapter != nullptr ? Json(adapter->name) : Json()},
                    {"programs", programs}});
}

}  // namespace vyre::cli
