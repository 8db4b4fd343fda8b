#include "formats/kernel_tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "space/positions.h"

namespace vyre::formats {
namespace {

using space::Value;

struct Header {
  std::string objective = "time";
  std::vector<std::string> names;
  std::vector<space::Parameter> values;
};

void refuse_too_many(Json& json, std::size_t parameters) {
  if (parameters <= space::max_parameters) return;
  json.fail(fmt::format("a cache has at most {} parameters", space::max_parameters));
}

std::vector<std::string> read_names(Json& json) {
  std::vector<std::string> names;
  json.enter_array();
  while (json.next_element()) {
    names.push_back(json.string());
    refuse_too_many(json, names.size());
  }
  return names;
}

std::vector<space::Parameter> read_parameters(Json& json) {
  std::vector<space::Parameter> parameters;
  json.enter_object();
  while (json.next_member()) {
    std::string name = json.key();
    parameters.push_back({std::move(name), json.scalars()});
    refuse_too_many(json, parameters.size());
  }
  return parameters;
}

// The parameters in the order of tune_params_keys, or of tune_params where that is missing.
std::vector<space::Parameter> parameters_of(const Header& header) {
  if (header.names.empty()) return header.values;
  std::vector<space::Parameter> parameters;
  const space::Positions known(header.values);
  for (const std::string& name : header.names) {
    const auto at = known.find(name);
    parameters.push_back(at ? header.values[*at] : space::Parameter{name, {}});
  }
  return parameters;
}

// A cost; what is missing or no number costs nothing.
double cost(Json& json) {
  const auto value = json.scalar();
  if (!value) return 0;
  const auto* integer = std::get_if<std::int64_t>(&*value);
  const auto* real = std::get_if<double>(&*value);
  const double read = integer != nullptr ? static_cast<double>(*integer)
                      : real != nullptr  ? *real
                                         : 0;
  return std::isfinite(read) && read > 0 ? read : 0;
}

double* cost_named(Cost& costs, std::string_view name) {
  if (name == "compile_time") return &costs.compile_ms;
  if (name == "verification_time") return &costs.verification_ms;
  if (name == "benchmark_time") return &costs.benchmark_ms;
  if (name == "framework_time") return &costs.framework_ms;
  return nullptr;
}

class Entry {
 public:
  Entry(const std::vector<space::Parameter>& parameters, const space::Positions& positions,
        const std::string& objective)
      : parameters_(parameters),
        positions_(positions),
        objective_(objective),
        values_(parameters.size()) {}

  void read(Json& json) {
    json.enter_object();
    while (json.next_member()) member(json);
    if (json.failed()) return;
    for (std::size_t p = 0; p < values_.size(); ++p) {
      if (!values_[p]) {
        json.fail(fmt::format("the entry has no value for '{}'", parameters_[p].name));
      }
    }
  }

  void add_to(Recording& into) {
    std::vector<Value> values;
    for (auto& value : values_) values.push_back(std::move(*value));
    if (error_) {
      set_time(measurement_, *error_);
    } else if (const auto& found = time_ ? time_ : other_) {
      set_time(measurement_, *found);
    } else {
      measurement_.verdict = Verdict::runtime;
    }
    into.add(std::move(values), measurement_);
  }

 private:
  void member(Json& json) {
    const std::string& name = json.key();
    if (const auto known = positions_.find(name)) {
      values_[*known] = json.scalar();
    } else if (name == "time") {
      time_ = json.scalar();
    } else if (name == "__error__") {
      error_ = json.scalar();
    } else if (double* const place = cost_named(measurement_.cost, name)) {
      *place = cost(json);
    } else if (name == objective_) {
      other_ = json.scalar();
    } else {
      json.skip();
    }
  }

  const std::vector<space::Parameter>& parameters_;
  const space::Positions& positions_;
  const std::string& objective_;
  std::vector<std::optional<Value>> values_;
  std::optional<Value> time_;
  std::optional<Value> other_;
  std::optional<Value> error_;
  Measurement measurement_;
};

void read_entries(Json& json, const Header& header, Recording& into) {
  into.parameters = parameters_of(header);
  const space::Positions positions(into.parameters);
  json.enter_object();
  while (json.next_member()) {
    Entry entry(into.parameters, positions, header.objective);
    entry.read(json);
    if (!json.failed()) entry.add_to(into);
  }
}

}  // namespace

void read_kernel_tuner(Json& json, Recording& into) {
  Header header;
  std::optional<Json> entries;  // where they are, if they come before the parameters' names
  bool inside = false;
  while (json.next_member()) {
    const std::string& name = json.key();
    if (name == "cache") {
      inside = !header.names.empty();
      if (!inside) entries = json;
      inside ? read_entries(json, header, into) : json.skip();
    } else if (name == "tune_params_keys") {
      header.names = read_names(json);
    } else if (name == "tune_params") {
      header.values = read_parameters(json);
    } else if (name == "objective" && json.peek() == JsonKind::string) {
      header.objective = json.string();
    } else if (name == "device_name" && json.peek() == JsonKind::string) {
      into.device = json.string();
    } else if (name == "kernel_name" && json.peek() == JsonKind::string) {
      into.kernel = json.string();
    } else {
      json.skip();
    }
  }
  if (entries && !json.failed()) {
    Json from_there = *entries;
    read_entries(from_there, header, into);
    if (from_there.failed()) json = from_there;
  }
  into.is_cut = json.cut_off() && inside;
  if (into.is_cut) json.forgive();
}

}  // namespace vyre::formats
