// A schedule: one value for each parameter of each step. What the tuner chooses and remembers.
//
// As text it is its parameters, "wg_x=64 wg_y=1 wg_z=1 vector=4 ...", in any order; what is left
// out is as in the schedule that the text is put over.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// A number, or one of a few words.
struct Parameter {
  std::string_view name;
  std::string_view meaning;                      // a line for people
  std::uint32_t initial = 1;                     // where nothing is chosen
  std::span<const std::string_view> words = {};  // if there are any, the number is a place here
};
// Of all steps, in the order in which texts and spaces have them.
[[nodiscard]] std::span<const Parameter> parameters();

class Schedule {
 public:
  Schedule();  // each parameter as it is initially

  // Requires: there is such a parameter.
  [[nodiscard]] std::uint32_t operator[](std::string_view parameter) const;
  void set(std::string_view parameter, std::uint32_t value);
  // Refuses what is no parameter or not one of its values, and says which.
  [[nodiscard]] Result<void> set(std::string_view parameter, std::string_view value);

  bool operator==(const Schedule&) const = default;

 private:
  std::vector<std::uint32_t> values_;  // in the order of parameters()
};

// The program as it is: its own workgroup and no other step.
[[nodiscard]] Schedule default_schedule(const ir::Program& program);

// Takes the steps in the order of src/schedule/steps.cpp, each with what the one before it made;
// parts and stages that a schedule takes apart, each with what follows. The error is that of the
// first step that is not legal.
[[nodiscard]] Result<ir::Program> apply(const ir::Program& program, const Schedule& schedule);

[[nodiscard]] std::string to_string(const Schedule& schedule);
[[nodiscard]] Result<Schedule> parse_schedule(std::string_view text, Schedule from = {});

}  // namespace vyre::schedule
