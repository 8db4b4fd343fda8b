#include "formats/t1.h"

#include <fmt/format.h>

#include "formats/file.h"
#include "formats/json.h"
#include "space/expression.h"

namespace vyre::formats {
namespace {

using space::Value;

struct Parts {
  std::vector<space::Parameter> parameters;
  std::vector<std::string> conditions;
  bool has_parameters = false;
};

// Values by an expression; a mistake in it is reported where the string is in the file.
std::vector<Value> evaluated(Json& json, const std::string& text) {
  const auto refuse = [&](const Error& error) {
    json.fail(fmt::format("{}, at {}:{} of the values \"{}\"", error.message, error.place.line,
                          error.place.column, text));
    return std::vector<Value>{};
  };
  const auto parsed = space::Expression::parse(text);
  if (!parsed) return refuse(parsed.error());
  auto values = parsed->evaluate_list(nullptr);
  return values ? std::move(*values) : refuse(values.error());
}

std::vector<Value> read_values(Json& json) {
  return json.peek() == JsonKind::string ? evaluated(json, json.string()) : json.scalars();
}

space::Parameter read_parameter(Json& json) {
  space::Parameter made;
  bool has_values = false;
  json.enter_object();
  while (json.next_member()) {
    if (json.key() == "Name") {
      made.name = json.string();
    } else if (json.key() == "Values") {
      made.values = read_values(json);
      has_values = true;
    } else {
      json.skip();
    }
  }
  if (!has_values) json.fail(fmt::format("the parameter '{}' has no Values", made.name));
  return made;
}

// Each is checked when it is read: the values of thousands would fill the memory before.
void add_parameter(Json& json, std::vector<space::Parameter>& into) {
  auto good = space::checked({read_parameter(json)});
  if (json.failed()) return;
  if (!good) return json.fail(good.error().message);
  into.push_back(std::move(good->front()));
  if (into.size() > space::max_parameters) {
    json.fail(fmt::format("a space has at most {} parameters", space::max_parameters));
  }
}

std::string read_condition(Json& json) {
  if (json.peek() == JsonKind::string) return json.string();
  std::string expression;
  json.enter_object();
  while (json.next_member()) {
    if (json.key() == "Expression") {
      expression = json.string();
    } else {
      json.skip();
    }
  }
  if (expression.empty()) json.fail("the condition has no Expression");
  return expression;
}

void read_space(Json& json, Parts& parts) {
  json.enter_object();
  while (json.next_member()) {
    if (json.key() == "TuningParameters") {
      parts.has_parameters = true;
      json.enter_array();
      while (json.next_element()) add_parameter(json, parts.parameters);
    } else if (json.key() == "Conditions" && json.peek() == JsonKind::array) {
      json.enter_array();
      while (json.next_element()) {
        parts.conditions.push_back(read_condition(json));
        if (parts.conditions.size() > space::max_constraints) {
          json.fail(fmt::format("a space has at most {} conditions", space::max_constraints));
        }
      }
    } else {
      json.skip();
    }
  }
}

}  // namespace

Result<space::Definition> parse_t1(std::string_view text) {
  Json json(text);
  Parts parts;
  json.enter_object();
  while (json.next_member()) {
    if (json.key() == "ConfigurationSpace") {
      read_space(json, parts);
    } else {
      json.skip();
    }
  }
  json.finish();
  if (json.failed()) return Unexpected(json.error());
  if (!parts.has_parameters) {
    return fail(ErrorKind::input, "not a T1 file: it has no ConfigurationSpace.TuningParameters");
  }
  return space::define(std::move(parts.parameters), parts.conditions);
}

Result<space::Definition> read_t1(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return Unexpected(text.error());
  auto definition = parse_t1(*text);
  if (definition) return definition;
  Error error = definition.error();
  error.message = fmt::format("{}: {}", path, error.message);
  return Unexpected(std::move(error));
}

}  // namespace vyre::formats
