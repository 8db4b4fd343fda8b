#include "vyre/store/decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace vyre::store {
namespace {

Failure refuse(std::string message) { return fail(ErrorKind::input, std::move(message)); }

Result<void> check_workgroup(const char* what, const Size& size) {
  std::uint64_t invocations = 1;
  for (const std::uint32_t number : size) {
    if (number == 0) return refuse(fmt::format("{} has a 0", what));
    invocations = std::min(invocations * number, max_invocations + 1);
  }
  if (invocations > max_invocations) {
    return refuse(fmt::format("{} has more than {} invocations", what, max_invocations));
  }
  return {};
}

// Of the fields `name`, `name`_low and `name`_high, each with this ending.
Result<void> check_estimate(std::string_view name, std::string_view ending,
                            const measure::Estimate& estimate) {
  const auto& [value, interval] = estimate;
  const auto& [low, high] = interval;
  const std::pair<const char*, double> numbers[] = {{"", value}, {"_low", low}, {"_high", high}};
  for (const auto& [which, number] : numbers) {
    if (std::isfinite(number) && number > 0) continue;
    return refuse(
        fmt::format("{}{}{} is {}: it must be above 0 and finite", name, which, ending, number));
  }
  if (low <= value && value <= high) return {};
  return refuse(fmt::format("{0}{1} is not between {0}_low{1} and {0}_high{1}", name, ending));
}

Result<void> check_baseline(const Baseline& baseline) {
  if (auto checked = check_estimate("default", "_ns", baseline.elapsed); !checked) return checked;
  return check_estimate("speedup", "", baseline.speedup);
}

Result<void> check_setting(const Setting& setting) {
  const auto* text = std::get_if<std::string>(&setting.value);
  if (setting.name.empty()) return refuse("a parameter of the configuration has no name");
  if (setting.name.size() > max_text || (text != nullptr && text->size() > max_text)) {
    return refuse(fmt::format("a text in the configuration is longer than {} bytes", max_text));
  }
  const auto* number = std::get_if<double>(&setting.value);
  if (number == nullptr || std::isfinite(*number)) return {};
  return refuse(fmt::format("the parameter {} is {}", setting.name, *number));
}

Result<void> check_configuration(const std::vector<Setting>& settings) {
  if (settings.size() > max_settings) {
    return refuse(fmt::format("the configuration has more than {} parameters", max_settings));
  }
  for (auto at = settings.begin(); at != settings.end(); ++at) {
    if (auto checked = check_setting(*at); !checked) return checked;
    if (std::find_if(settings.begin(), at, [&](const Setting& s) { return s.name == at->name; }) !=
        at) {
      return refuse(fmt::format("the parameter {} is there twice", at->name));
    }
  }
  return {};
}

Result<void> check_texts(const Evidence& evidence) {
  for (const std::string* text :
       {&evidence.program_name, &evidence.strategy, &evidence.vyre, &evidence.driver}) {
    if (text->size() > max_text) {
      return refuse(fmt::format("a text is longer than {} bytes", max_text));
    }
  }
  const auto is_printable = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (evidence.features.size() > max_features ||
      !std::ranges::all_of(evidence.features, is_printable)) {
    return refuse(
        fmt::format("features is not a text of up to {} characters of ASCII", max_features));
  }
  return {};
}

Result<void> check_dispatch(const Key& key, const Dispatch& dispatch) {
  if (auto checked = check_workgroup("declared", dispatch.workgroup); !checked) return checked;
  if (dispatch.groups && std::ranges::find(*dispatch.groups, 0U) != dispatch.groups->end()) {
    return refuse("groups has a 0");
  }
  for (const std::uint64_t bytes : {dispatch.output_bytes, dispatch.input_bytes}) {
    if (bytes > std::uint64_t{1} << 62) return refuse(fmt::format("{} bytes are too many", bytes));
  }
  if (key_of(dispatch) == key) return {};
  return refuse(
      "the key does not belong to program, declared, groups, output_bytes and input_bytes");
}

Result<void> check_date(std::chrono::sys_seconds date) {
  using std::chrono::sys_days;
  using std::chrono::year;
  constexpr sys_days end = year(10'000) / 1 / 1;
  if (date >= sys_days(year(0) / 1 / 1) && date < end) return {};
  return refuse("the date is not in the years 0 to 9999");
}

Result<void> check_evidence(const Key& key, const Evidence& evidence) {
  if (auto checked = check_dispatch(key, evidence.dispatch); !checked) return checked;
  if (auto checked = check_configuration(evidence.configuration); !checked) return checked;
  if (auto checked = check_estimate("elapsed", "_ns", evidence.elapsed); !checked) return checked;
  if (evidence.baseline) {
    if (auto checked = check_baseline(*evidence.baseline); !checked) return checked;
  }
  if (evidence.samples == 0 || evidence.samples > std::uint64_t{1} << 62) {
    return refuse("samples is not a number above 0");
  }
  if (auto checked = check_texts(evidence); !checked) return checked;
  return check_date(evidence.date);
}

}  // namespace

Decision decide(const Size& workgroup, Evidence evidence) {
  const Key key = key_of(evidence.dispatch);
  return {key, workgroup, std::move(evidence)};
}

Result<void> validate(const Decision& decision) {
  if (auto checked = check_workgroup("workgroup", decision.workgroup); !checked) return checked;
  return decision.evidence ? check_evidence(decision.key, *decision.evidence) : Result<void>{};
}

bool better(const Decision& challenger, const Decision& present) {
  if (!challenger.evidence || !present.evidence) return challenger.evidence && !present.evidence;
  const Evidence& a = *challenger.evidence;
  const Evidence& b = *present.evidence;
  // An interval of a sample or two says nothing.
  if (std::min(a.samples, b.samples) >= 3) {
    if (a.elapsed.interval.high < b.elapsed.interval.low) return true;
    if (b.elapsed.interval.high < a.elapsed.interval.low) return false;
  }
  if (a.samples != b.samples) return a.samples > b.samples;
  return a.date > b.date;
}

std::string to_string(std::chrono::sys_seconds date) {
  const auto day = std::chrono::floor<std::chrono::days>(date);
  const std::chrono::year_month_day ymd(day);
  const std::chrono::hh_mm_ss time(date - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(ymd.year()),
                     static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

}  // namespace vyre::store
