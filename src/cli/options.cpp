#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

namespace vyre::cli {
namespace {

double seconds_in(std::string_view unit) {
  if (unit == "ms") return 1e-3;
  if (unit == "s") return 1;
  if (unit == "m" || unit == "min") return 60;
  if (unit == "h") return 3600;
  return 0;
}

struct Amount {
  double number = std::nan("");  // stays so where the text starts with none
  std::string_view unit;
};

Amount amount_of(std::string_view text) {
  Amount made;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), made.number);
  made.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  return made;
}

}  // namespace

// Without these CLI11 takes the words that follow as more values, and splits lists of values at
// their commas.
void add_repeated(CLI::App& app, const char* name, std::vector<std::string>& into,
                  const std::string& help) {
  app.add_option(name, into, help)->allow_extra_args(false)->delimiter('\0');
}

void add_data(CLI::App& app, std::vector<std::string>& inputs, std::vector<std::string>& uniforms) {
  add_repeated(app, "--in", inputs,
               "content of a buffer of every program, as in `vyre run`; random:0 if not given");
  add_repeated(app, "--set", uniforms, "value of a uniform of every program: NAME=VALUE");
}

CLI::Option* add_count(CLI::App& app, const char* name, std::size_t& into,
                       const std::string& help) {
  const auto has_sign = [](const std::string& text) {
    return text.starts_with('-') ? "it cannot be negative" : "";
  };
  return app.add_option(name, into, help)->check(CLI::Validator(has_sign, ""));
}

void add_reassociate(CLI::App& app, bool& into) {
  app.add_flag("--reassociate", into,
               "the order of float arithmetic does not matter, as if each program had a line that "
               "says so; decisions are kept apart from those without");
}

Result<FloatTolerance> parse_tolerance(std::string_view text) {
  FloatTolerance made;
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto number = [](std::string_view part, double& into) {
    const Amount amount = amount_of(part);
    into = amount.number;
    return amount.unit.empty() && amount.number >= 0 && std::isfinite(amount.number);
  };
  const bool good = number(text.substr(0, comma), made.relative) &&
                    (comma == text.size() || number(text.substr(comma + 1), made.absolute));
  if (good) return made;
  return fail(
      ErrorKind::input,
      fmt::format("--tolerance {}: give one number that is not negative, the relative error "
                  "that is right, or two with a comma, the second the absolute: 1e-4,1e-6",
                  text));
}

void add_device(CLI::App& app, std::string& into) {
  app.add_option("--device", into, "reference, opencl, or what `vyre devices` lists")
      ->capture_default_str();
}

CLI::Option* add_schedule(CLI::App& app, std::string& into) {
  return app.add_option("--schedule", into,
                        "each program with this schedule, such as \"wg_x=8 vector=16\"; what it "
                        "leaves out stays as it is");
}

Result<std::chrono::nanoseconds> parse_duration(const std::string& text, const char* option,
                                                std::chrono::nanoseconds least) {
  constexpr double most = 1e6;  // nothing that overflows
  const double seconds = parse_seconds(text).value_or(0);
  if (!(seconds <= most) || seconds * 1e9 < static_cast<double>(least.count())) {
    return fail(ErrorKind::input, fmt::format("{} {}: give a time above 0, such as 500ms or 2s, or "
                                              "a number of seconds, at most {}",
                                              option, text, most));
  }
  return std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

std::optional<double> parse_seconds(std::string_view text) {
  const auto [number, unit] = amount_of(text);
  const double seconds = number * (unit.empty() ? 1 : seconds_in(unit));
  if (std::isnan(number) || (!unit.empty() && seconds_in(unit) == 0)) return {};
  return seconds;
}

Result<Budget> parse_budget(std::string_view text) {
  const auto [number, unit] = amount_of(text);
  Budget budget;
  const bool is_count = unit.empty() && std::floor(number) == number;
  const double limit = is_count
                           ? static_cast<double>(budget.evaluations)
                           : std::chrono::duration<double>(budget.time).count() / seconds_in(unit);
  if (!(number > 0) || !(number <= limit) || (!is_count && seconds_in(unit) == 0)) {
    return fail(ErrorKind::input,
                fmt::format("--budget {}: give a time such as 500ms, 30s or 2m (at most 24h), or a "
                            "number of evaluations (at most {})",
                            text, budget.evaluations));
  }
  if (is_count) {
    budget.evaluations = static_cast<std::size_t>(number);
  } else {
    budget.time =
        std::chrono::nanoseconds(static_cast<std::int64_t>(number * seconds_in(unit) * 1e9));
  }
  return budget;
}

}  // namespace vyre::cli
