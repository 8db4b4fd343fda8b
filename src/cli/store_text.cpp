#include "cli/store_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/text.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const store::Size& size) {
  return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto number = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; number >= 1024 && unit + 1 < units.size(); ++unit) number /= 1024;
  return fmt::format("{:.4g} {}", number, units[unit]);
}

Json settings_json(const std::vector<store::Setting>& settings) {
  Json made = Json::object();
  for (const store::Setting& setting : settings) {
    std::visit([&](const auto& value) { made[setting.name] = value; }, setting.value);
  }
  return made;
}

void add_evidence(Json& into, const store::Evidence& e) {
  into["program"] = to_hex(e.dispatch.program);
  into["name"] = e.program_name;
  into["declared"] = e.dispatch.workgroup;
  into["groups"] = e.dispatch.groups ? Json(*e.dispatch.groups) : Json();
  into["output_bytes"] = e.dispatch.output_bytes;
  into["input_bytes"] = e.dispatch.input_bytes;
  into["configuration"] = settings_json(e.configuration);
  into["elapsed_ns"] = e.elapsed.value;
  into["elapsed_low_ns"] = e.elapsed.interval.low;
  into["elapsed_high_ns"] = e.elapsed.interval.high;
  into["default_ns"] = e.baseline ? Json(e.baseline->elapsed.value) : Json();
  into["speedup"] = e.baseline ? Json(e.baseline->speedup.value) : Json();
  into["samples"] = e.samples;
  into["features"] = e.features;
  into["date"] = store::to_string(e.date);
  into["strategy"] = e.strategy;
  into["vyre"] = e.vyre;
  into["driver"] = e.driver;
}

Json as_json(const store::Decision& decision) {
  Json made = {{"key", to_string(decision.key)}, {"workgroup", decision.workgroup}};
  if (decision.evidence) add_evidence(made, *decision.evidence);
  return made;
}

}  // namespace

std::string decisions_text(std::size_t count) {
  return fmt::format("{} decision{}", count, count == 1 ? "" : "s");
}

std::string program_text(const store::Decision& decision) {
  if (!decision.evidence) return "?";
  const store::Evidence& e = *decision.evidence;
  return e.program_name.empty() ? to_hex(e.dispatch.program).substr(0, 12) : e.program_name;
}

std::string size_text(const store::Decision& decision) {
  if (!decision.evidence) return "?";
  const store::Dispatch& d = decision.evidence->dispatch;
  const std::string bytes = bytes_text(d.output_bytes);
  return d.groups ? fmt::format("{} groups, {}", text_of(*d.groups), bytes) : bytes;
}

std::string choice_text(const store::Decision& decision) {
  std::string text = text_of(decision.workgroup);
  if (!decision.evidence) return text;
  for (const store::Setting& setting : decision.evidence->configuration) {
    if (setting.name.starts_with("wg_")) continue;  // said already
    text += fmt::format(" {}={}", setting.name, space::to_string(setting.value));
  }
  return text;
}

std::string speedup_text(const store::Decision& decision) {
  if (!decision.evidence || !decision.evidence->baseline) return "-";
  const measure::Estimate& speedup = decision.evidence->baseline->speedup;
  return ratio_text(speedup.value, speedup.interval);
}

std::string store_json(const std::vector<ReadFile>& files) {
  Json adapters = Json::array();
  for (const ReadFile& read : files) {
    Json decisions = Json::array();
    for (const store::EntryPtr& entry : read.entries())
      decisions.push_back(as_json(entry->decision));
    adapters.push_back({{"adapter", read.adapter},
                        {"device", read.file.header().device},
                        {"decisions", std::move(decisions)}});
  }
  return json_text({{"adapters", std::move(adapters)}});
}

std::string store_json(const std::string& adapter, const store::Decision& decision) {
  Json made = {{"adapter", adapter}};
  made.update(as_json(decision));
  return json_text(made);
}

}  // namespace vyre::cli
