// Options that several commands have, and the words in which options say how long something may go
// on: "30s", "2m", "500ms"; the budget of a search also as "200" evaluations.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vyre::cli {

// An option that may be given several times, with one value each.
void add_repeated(CLI::App& app, const char* name, std::vector<std::string>& into,
                  const std::string& help);

// --in and --set, for commands that take several programs.
void add_data(CLI::App& app, std::vector<std::string>& inputs, std::vector<std::string>& uniforms);

// A number that is not negative. CLI11 would make a large one of -1.
CLI::Option* add_count(CLI::App& app, const char* name, std::size_t& into, const std::string& help);

// --reassociate, for commands that take programs.
void add_reassociate(CLI::App& app, bool& into);

// "1e-4" or "1e-4,1e-6": of --tolerance.
struct FloatTolerance {
  double relative = 0;
  double absolute = 0;
};
[[nodiscard]] Result<FloatTolerance> parse_tolerance(std::string_view text);

void add_device(CLI::App& app, std::string& into);
CLI::Option* add_schedule(CLI::App& app, std::string& into);

// The other of the two is as good as unlimited.
struct Budget {
  std::chrono::nanoseconds time = std::chrono::hours(24);
  std::size_t evaluations = 1'000'000;
};
[[nodiscard]] Result<Budget> parse_budget(std::string_view text);

// A time of at least `least`, or why not, with the option's name.
[[nodiscard]] Result<std::chrono::nanoseconds> parse_duration(const std::string& text,
                                                              const char* option,
                                                              std::chrono::nanoseconds least);

// Seconds; those of a number without a unit, too. Nothing if it is neither.
[[nodiscard]] std::optional<double> parse_seconds(std::string_view text);

}  // namespace vyre::cli
