// Collects configurations and measurements while a file is read, and makes a Recorded of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vyre/formats/recorded.h"

namespace vyre::formats {

class Recording {
 public:
  std::string device;
  std::string kernel;
  // In this order; where a parameter has values here, their order is kept and others follow.
  std::vector<space::Parameter> parameters;
  bool is_cut = false;  // see Recorded

  // One value for each parameter.
  void add(std::vector<space::Value> values, const Measurement& measurement) {
    rows_.push_back({std::move(values), measurement});
  }
  [[nodiscard]] Result<Recorded> finish(std::string name);

 private:
  struct Row {
    std::vector<space::Value> values;
    Measurement measurement;
  };

  std::vector<Row> rows_;
};

// What the name of a failure says about its kind: Kernel Tuner's classes and T4's words.
// An unknown name is a failure at run time.
[[nodiscard]] Verdict failure_named(std::string_view name);

// Correct with this time, or failed with the kind that the name in its place says. A time that is
// no positive number, or the 1e20 of old Kernel Tuner caches, is a failure at run time.
void set_time(Measurement& measurement, const space::Value& value);

}  // namespace vyre::formats
