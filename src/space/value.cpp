#include "vyre/space/value.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <unordered_map>

#include "space/number.h"

namespace vyre::space {
namespace {

// A float as Python's repr: the shortest text that reads back, with a mark that it is no integer.
// Python does not show the sign of a nan.
std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

// Equal values have one key: a number that is an integer is written as one.
std::string key_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text;
  const auto number = to_number(value);
  if (!number->is_float) return fmt::format("{}", number->integer);
  const auto whole = whole_number(number->real);
  return whole ? fmt::format("{}", *whole) : float_text(number->real);
}

void drop_repeated(std::vector<Value>& values) {
  std::set<std::string> seen;
  std::erase_if(values, [&](const Value& value) { return !seen.insert(key_of(value)).second; });
}

}  // namespace

bool same(const Value& left, const Value& right) {
  const auto a = to_number(left);
  const auto b = to_number(right);
  if (a && b) return order(*a, *b) == std::partial_ordering::equivalent;
  return !a && !b && std::get<std::string>(left) == std::get<std::string>(right);
}

std::string to_string(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value)) return float_text(*real);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "True" : "False";
  return std::get<std::string>(value);
}

Result<std::vector<Parameter>> checked(std::vector<Parameter> parameters) {
  if (parameters.empty()) return fail(ErrorKind::input, "a space needs at least one parameter");
  if (parameters.size() > max_parameters) {
    return fail(ErrorKind::input, fmt::format("a space has at most {} parameters, not {}",
                                              max_parameters, parameters.size()));
  }
  std::set<std::string_view> names;
  for (Parameter& parameter : parameters) {
    if (parameter.name.empty()) return fail(ErrorKind::input, "a parameter has no name");
    if (!names.insert(parameter.name).second) {
      return fail(ErrorKind::input, fmt::format("two parameters are named '{}'", parameter.name));
    }
    drop_repeated(parameter.values);
    if (parameter.values.size() > max_values) {
      return fail(ErrorKind::input,
                  fmt::format("parameter '{}' has {} values; at most {} are allowed",
                              parameter.name, parameter.values.size(), max_values));
    }
  }
  return parameters;
}

}  // namespace vyre::space
