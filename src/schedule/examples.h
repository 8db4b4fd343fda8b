// Examples: programs that were tuned, each with what was found good for it.
//
// As text an example is one line,
//
//   GAIN PROGRAM | FEATURES | CONFIGURATION
//   7.5 row_sums | invocations=11 width=11 ... | wg_x=8 vector=16 order=jammed
//
// and examples are lines; those that are empty or start with # are left out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/features.h"
#include "vyre/base/error.h"
#include "vyre/space/space.h"

namespace vyre::schedule {

struct NamedValue {
  std::string name;
  space::Value value;

  bool operator==(const NamedValue&) const = default;
};

struct Example {
  std::string program;
  double gain = 1;  // how many times faster than the program as it is
  Features features;
  std::vector<NamedValue> configuration;

  bool operator==(const Example&) const = default;
};

[[nodiscard]] std::string to_string(const Example& example);
// The error has the place of the line that is not an example.
[[nodiscard]] Result<std::vector<Example>> parse_examples(std::string_view text);

// Those that the library comes with: src/schedule/learned.txt, which `make learn` makes.
[[nodiscard]] std::span<const Example> learned_examples();

// "wg_x=1 order=strided" as values: integers and words.
[[nodiscard]] Result<std::vector<NamedValue>> parse_configuration(std::string_view text);

// A configuration of a space, by name.
[[nodiscard]] std::vector<NamedValue> named_values(const space::Space& space, space::Index index);

}  // namespace vyre::schedule
