#include "schedule/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "schedule/steps.h"

namespace vyre::schedule {
namespace {

std::vector<Parameter> collected() {
  std::vector<Parameter> all;
  for (const Step* step : declared_steps()) {
    all.insert(all.end(), step->parameters.begin(), step->parameters.end());
  }
  return all;
}

}  // namespace

std::span<const Parameter> parameters() {
  static const std::vector<Parameter> all = collected();
  return all;
}

std::optional<std::size_t> find_parameter(std::string_view name) {
  const auto found = std::ranges::find(parameters(), name, &Parameter::name);
  if (found == parameters().end()) return std::nullopt;
  return static_cast<std::size_t>(found - parameters().begin());
}

space::Value value_of(std::string_view name, std::uint32_t value) {
  const auto at = find_parameter(name);
  check(at.has_value(), "a step declares the parameters of its table");
  const Parameter& parameter = parameters()[*at];
  if (parameter.words.empty()) return std::int64_t{value};
  return std::string(parameter.words[value]);
}

Result<std::uint32_t> parse_value(const Parameter& parameter, std::string_view text) {
  if (!parameter.words.empty()) {
    const auto found = std::ranges::find(parameter.words, text);
    if (found != parameter.words.end()) {
      return static_cast<std::uint32_t>(found - parameter.words.begin());
    }
    return fail(ErrorKind::input, fmt::format("{} is '{}'; there are: {}", parameter.name, text,
                                              fmt::join(parameter.words, ", ")));
  }
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && end == text.data() + text.size()) return number;
  return fail(ErrorKind::input, fmt::format("{} is '{}', not a number", parameter.name, text));
}

}  // namespace vyre::schedule
