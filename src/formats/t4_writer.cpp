#include "formats/t4_writer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "formats/file.h"

namespace vyre::formats {
namespace {

using Json = nlohmann::ordered_json;
using Moment = std::chrono::sys_time<std::chrono::microseconds>;

// With an offset in place of a Z, which Python before 3.11 does not read.
std::string iso(Moment moment) {
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(moment - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}+00:00",
                     static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count(), time.subseconds().count());
}

Moment moment_of(const Results& results, const Tried& tried) {
  const std::chrono::duration<double> after(tried.at_s);
  return results.started + std::chrono::round<std::chrono::microseconds>(after);
}

// JSON has no infinity and no nan.
Json finite(double number) { return std::isfinite(number) ? number : 0.0; }

Json json_of(const space::Value& value) {
  const auto* number = std::get_if<double>(&value);
  if (number != nullptr && !std::isfinite(*number)) return space::to_string(value);
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json configuration(const Results& results, const Tried& tried) {
  check(tried.values.size() == results.parameters.size(), "a value for each parameter");
  Json made = Json::object();
  for (std::size_t i = 0; i < tried.values.size(); ++i) {
    made[results.parameters[i]] = json_of(tried.values[i]);
  }
  return made;
}

// The schema says compilation_time, the files and tools that are in use say compilation.
Json times(const Tried& tried) {
  Json runs = Json::array();
  for (const double run : tried.runs_ms) {
    if (std::isfinite(run)) runs.push_back(run);
  }
  return {{"compilation_time", finite(tried.cost.compile_ms)},
          {"compilation", finite(tried.cost.compile_ms)},
          {"benchmark", finite(tried.cost.benchmark_ms)},
          {"framework", finite(tried.cost.framework_ms)},
          {"search_algorithm", 0},
          {"validation", finite(tried.cost.verification_ms)},
          {"runtimes", std::move(runs)}};
}

Json measurement(const char* name, Json value, const char* unit) {
  return {{"name", name}, {"value", std::move(value)}, {"unit", unit}};
}

// A time that is no number is left out: as 0 it would be the best of all.
void add_time(Json& into, const char* name, double time_ms) {
  if (std::isfinite(time_ms)) into.push_back(measurement(name, time_ms, "ms"));
}

// What failed has the word for it where its time would be, as Kernel Tuner has its own.
Json measurements(const Tried& tried) {
  Json made = Json::array();
  if (tried.verdict == Verdict::correct) {
    add_time(made, "time", tried.time_ms);
    add_time(made, "time_low", tried.interval_ms.low);
    add_time(made, "time_high", tried.interval_ms.high);
  } else {
    made.push_back(measurement("time", name_of(tried.verdict), ""));
    made.push_back(measurement("reason", tried.reason, ""));
  }
  return made;
}

Json result(const Results& results, const Tried& tried) {
  return {{"timestamp", iso(moment_of(results, tried))},
          {"configuration", configuration(results, tried)},
          {"times", times(tried)},
          {"invalidity", name_of(tried.verdict)},
          {"correctness", tried.verdict == Verdict::correct ? 1 : 0},
          {"measurements", measurements(tried)},
          {"objectives", Json::array({"time"})}};
}

void add_estimate(Json& into, const std::string& name, const measure::Estimate& estimate) {
  into[name] = finite(estimate.value);
  into[name + "_low"] = finite(estimate.interval.low);
  into[name + "_high"] = finite(estimate.interval.high);
}

Json metadata(const Results& results) {
  Json made = {{"timeunit", "milliseconds"},      {"tuner", "vyre"},
               {"kernel", results.kernel},        {"device", results.device},
               {"driver", results.driver},        {"strategy", results.strategy},
               {"started", iso(results.started)}, {"parameters", results.parameters}};
  if (!results.sizes.empty()) made["sizes"] = results.sizes;
  if (!results.accepted.empty()) made["accepted"] = results.accepted;
  if (results.original) made["original"] = *results.original;
  if (!results.winner) return made;
  made["winner"] = *results.winner;
  made["tied"] = results.tied;
  if (!results.raced) return made;
  add_estimate(made, "original_time", results.raced->original_ms);
  add_estimate(made, "winner_time", results.raced->winner_ms);
  add_estimate(made, "speedup", results.raced->speedup);
  return made;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string t4_text(const Results& results) {
  std::string text = fmt::format("{{\"schema_version\":\"1.0.0\",\n\"metadata\":{},\n\"results\":[",
                                 text_of(metadata(results)));
  const char* before = "\n";
  for (const Tried& tried : results.tried) {
    text += before;
    text += text_of(result(results, tried));
    before = ",\n";
  }
  return text + "\n]}\n";
}

Result<void> write_t4(const std::string& path, const Results& results) {
  return write_text(path, t4_text(results));
}

}  // namespace vyre::formats
