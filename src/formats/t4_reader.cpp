#include "formats/t4_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "space/number.h"
#include "space/positions.h"

namespace vyre::formats {
namespace {

using space::Value;

constexpr std::array<std::pair<std::string_view, double>, 13> units = {{
    {"ms", 1},
    {"miliseconds", 1},
    {"milliseconds", 1},
    {"millisecond", 1},
    {"s", 1e3},
    {"sec", 1e3},
    {"seconds", 1e3},
    {"us", 1e-3},
    {"microseconds", 1e-3},
    {"\xc2\xb5s", 1e-3},
    {"ns", 1e-6},
    {"nanoseconds", 1e-6},
    {"nanosecond", 1e-6},
}};

// Milliseconds in a unit; `other` where it is empty or unknown.
double in_ms(std::string_view unit, double other) {
  const auto known = std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
  return known == units.end() ? other : known->second;
}

double to_float(const std::optional<Value>& value) {
  const auto number = value ? space::to_number(*value) : std::nullopt;
  const double read = number ? number->as_float() : 0;
  return std::isfinite(read) && read > 0 ? read : 0;
}

struct Measured {
  std::string name;
  std::optional<Value> value;
  std::string unit;
};

struct Row {
  std::vector<std::pair<std::string, Value>> configuration;
  Cost cost;
  std::optional<double> benchmark;
  std::vector<double> runs;
  std::string invalidity;
  std::vector<Measured> measurements;
  std::string objective;
};

void read_configuration(Json& json, Row& row) {
  json.enter_object();
  while (json.next_member()) {
    std::string name = json.key();
    auto value = json.scalar();
    if (!value) {
      json.fail(fmt::format("the value of '{}' is no number, string, true or false", name));
      return;
    }
    row.configuration.emplace_back(std::move(name), std::move(*value));
    if (row.configuration.size() > space::max_parameters) {
      return json.fail(
          fmt::format("a configuration has at most {} parameters", space::max_parameters));
    }
  }
}

std::vector<double> read_runs(Json& json) {
  if (json.peek() != JsonKind::array) return {to_float(json.scalar())};
  std::vector<double> runs;
  json.enter_array();
  while (json.next_element()) runs.push_back(to_float(json.scalar()));
  return runs;
}

void read_times(Json& json, Row& row) {
  json.enter_object();
  while (json.next_member()) {
    const std::string& name = json.key();
    if (name == "compilation" || name == "compilation_time") {
      row.cost.compile_ms = to_float(json.scalar());
    } else if (name == "framework" || name == "framework_time") {
      row.cost.framework_ms = to_float(json.scalar());
    } else if (name == "validation" || name == "validation_time") {
      row.cost.verification_ms = to_float(json.scalar());
    } else if (name == "benchmark") {
      row.benchmark = to_float(json.scalar());
    } else if (name == "runtimes") {
      row.runs = read_runs(json);
    } else {
      json.skip();
    }
  }
}

Measured read_measurement(Json& json) {
  Measured made;
  json.enter_object();
  while (json.next_member()) {
    const std::string& name = json.key();
    if (name == "name") {
      made.name = json.string();
    } else if (name == "value") {
      made.value = json.scalar();
    } else if (name == "unit" && json.peek() == JsonKind::string) {
      made.unit = json.string();
    } else {
      json.skip();
    }
  }
  return made;
}

void read_member(Json& json, Row& row) {
  const std::string& name = json.key();
  if (name == "configuration") {
    read_configuration(json, row);
  } else if (name == "times") {
    read_times(json, row);
  } else if (name == "invalidity" && json.peek() == JsonKind::string) {
    row.invalidity = json.string();
  } else if (name == "measurements") {
    json.enter_array();
    while (json.next_element()) row.measurements.push_back(read_measurement(json));
  } else if (name == "objectives") {
    json.enter_array();
    while (json.next_element()) {
      std::string objective = json.string();
      if (row.objective.empty()) row.objective = std::move(objective);
    }
  } else {
    json.skip();
  }
}

// The measurement that counts: the one named time, or else the first objective.
const Measured* time_of(const Row& row) {
  for (const std::string_view name : {std::string_view("time"), std::string_view(row.objective)}) {
    const auto found = std::ranges::find(row.measurements, name, &Measured::name);
    if (found != row.measurements.end() && found->value) return &*found;
  }
  return nullptr;
}

Measurement measurement_of(const Row& row, double unit) {
  Measurement made{.cost = row.cost};
  for (double* part :
       {&made.cost.compile_ms, &made.cost.verification_ms, &made.cost.framework_ms}) {
    *part *= unit;
  }
  const double sum = std::accumulate(row.runs.begin(), row.runs.end(), 0.0) * unit;
  made.cost.benchmark_ms = row.benchmark ? *row.benchmark * unit : sum;
  if (const Measured* time = time_of(row)) {
    const auto number = space::to_number(*time->value);
    const double scale = in_ms(time->unit, unit);
    set_time(made, number ? Value(number->as_float() * scale) : *time->value);
  } else {
    set_time(made, row.runs.empty() ? 0.0 : sum / static_cast<double>(row.runs.size()));
  }
  if (!row.invalidity.empty() && row.invalidity != "correct") {
    made.verdict = failure_named(row.invalidity);
    made.time_ms = 0;
  }
  return made;
}

// The first row names the parameters; the others have them too, in any order.
class Adder {
 public:
  Adder(double unit, Recording& into) : unit_(unit), into_(into) {}

  void add(Json& json, Row& row) {
    if (!positions_) name_parameters(row);
    std::vector<std::optional<Value>> values(into_.parameters.size());
    for (auto& [name, value] : row.configuration) {
      const auto at = positions_->find(name);
      if (!at) return json.fail(fmt::format("the first result has no parameter '{}'", name));
      if (values[*at]) return json.fail(fmt::format("the result has '{}' twice", name));
      values[*at] = std::move(value);
    }
    std::vector<Value> all;
    for (std::size_t p = 0; p < values.size(); ++p) {
      if (!values[p]) {
        return json.fail(fmt::format("the result has no value for '{}'", into_.parameters[p].name));
      }
      all.push_back(*std::move(values[p]));
    }
    into_.add(std::move(all), measurement_of(row, unit_));
  }

 private:
  void name_parameters(const Row& first) {
    for (const auto& [name, value] : first.configuration) into_.parameters.push_back({name, {}});
    positions_.emplace(into_.parameters);
  }

  double unit_;
  Recording& into_;
  std::optional<space::Positions> positions_;
};

void read_results(Json& json, double unit, Recording& into) {
  Adder adder(unit, into);
  json.enter_array();
  while (json.next_element()) {
    Row row;
    json.enter_object();
    while (json.next_member()) read_member(json, row);
    if (!json.failed()) adder.add(json, row);
  }
}

// The unit of times. Which kernel and device it was, only vyre's files say.
double read_metadata(Json& json, Recording& into) {
  double unit = 1;
  json.enter_object();
  while (json.next_member()) {
    const bool is_text = json.peek() == JsonKind::string;
    if (is_text && json.key() == "timeunit") {
      unit = in_ms(json.string(), 1);
    } else if (is_text && json.key() == "kernel") {
      into.kernel = json.string();
    } else if (is_text && json.key() == "device") {
      into.device = json.string();
    } else {
      json.skip();
    }
  }
  return unit;
}

}  // namespace

void read_t4(Json& json, Recording& into) {
  double unit = 1;
  std::optional<Json> results;
  while (json.next_member()) {
    if (json.key() == "results") {
      results = json;
      json.skip();
    } else if (json.key() == "metadata" && json.peek() == JsonKind::object) {
      unit = read_metadata(json, into);
    } else {
      json.skip();
    }
  }
  if (!results || json.failed()) return;
  Json from_there = *results;
  read_results(from_there, unit, into);
  if (from_there.failed()) json = from_there;
}

}  // namespace vyre::formats
