#include "formats/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "space/number.h"

namespace vyre::formats {
namespace {

constexpr double failed_time = 1e20;
constexpr std::array<std::pair<std::string_view, Verdict>, 10> names = {{
    {"correctness", Verdict::correctness},
    {"ompil", Verdict::compile},
    {"imeout", Verdict::timeout},
    {"imedOut", Verdict::timeout},
    {"erification", Verdict::correctness},
    {"Incorrect", Verdict::correctness},
    {"constraints", Verdict::constraints},
    {"InvalidConfig", Verdict::constraints},
    {"Skippable", Verdict::constraints},
    {"untime", Verdict::runtime},
}};

// Digits of one parameter's values; a value that is new gets the next one.
class Digits {
 public:
  explicit Digits(std::vector<space::Value>& values) : values_(values) {
    for (std::size_t i = 0; i < values.size(); ++i) of_text_.emplace(text(values[i]), i);
  }
  [[nodiscard]] std::size_t count() const { return of_text_.size(); }
  std::size_t of(const space::Value& value) {
    const auto [at, is_new] = of_text_.emplace(text(value), values_.size());
    if (is_new) values_.push_back(value);
    return at->second;
  }

 private:
  // Equal values have one text, whether they are written as integer, float or bool.
  static std::string text(const space::Value& value) {
    if (const auto* words = std::get_if<std::string>(&value)) return "'" + *words;
    const auto number = space::to_number(value);
    const auto whole = number->is_float ? space::whole_number(number->real) : number->integer;
    return whole ? fmt::format("{}", *whole) : fmt::format("{}", number->real);
  }

  std::vector<space::Value>& values_;
  std::unordered_map<std::string, std::size_t> of_text_;
};

// Ascending if they are numbers, so that neighbouring digits are neighbouring values.
void sort_numbers(std::vector<space::Value>& values) {
  const auto number = [](const space::Value& value) { return space::to_number(value); };
  if (!std::ranges::all_of(values, [&](const auto& v) { return number(v).has_value(); })) return;
  std::ranges::stable_sort(values, [&](const auto& a, const auto& b) {
    return space::order(*number(a), *number(b)) == std::partial_ordering::less;
  });
}

}  // namespace

Verdict failure_named(std::string_view name) {
  const auto known = std::ranges::find_if(
      names, [&](const auto& entry) { return name.find(entry.first) != std::string_view::npos; });
  return known == names.end() ? Verdict::runtime : known->second;
}

void set_time(Measurement& measurement, const space::Value& value) {
  if (const auto* name = std::get_if<std::string>(&value)) {
    measurement.verdict = failure_named(*name);
    return;
  }
  const double time = space::to_number(value)->as_float();
  const bool good = std::isfinite(time) && time > 0 && time < failed_time;
  measurement.verdict = good ? Verdict::correct : Verdict::runtime;
  measurement.time_ms = good ? time : 0;
}

// Digits are given twice: first to learn all values, then, in their final order, for the rows.
Result<Recorded> Recording::finish(std::string name) {
  if (parameters.empty()) return fail(ErrorKind::input, "the file names no parameters");
  const std::size_t count = parameters.size();
  std::optional<double> combinations = 1;
  for (std::size_t p = 0; p < count; ++p) {
    const bool unordered = parameters[p].values.empty();
    Digits seen(parameters[p].values);
    if (unordered) combinations.reset();
    if (combinations) *combinations *= static_cast<double>(seen.count());
    for (const Row& row : rows_) seen.of(row.values[p]);
    if (unordered) sort_numbers(parameters[p].values);
  }
  auto good = space::checked(std::move(parameters));
  if (!good) return Unexpected(good.error());
  std::vector<Digits> digits;
  for (space::Parameter& parameter : *good) digits.emplace_back(parameter.values);

  std::vector<space::Digit> cells;
  std::vector<Measurement> measurements;
  std::map<std::vector<space::Digit>, std::size_t> places;
  std::vector<space::Digit> cell(count);
  for (const Row& row : rows_) {
    for (std::size_t p = 0; p < count; ++p) {
      cell[p] = static_cast<space::Digit>(digits[p].of(row.values[p]));
    }
    const auto [at, is_new] = places.emplace(cell, measurements.size());
    if (is_new) {
      cells.insert(cells.end(), cell.begin(), cell.end());
      measurements.push_back(row.measurement);
    } else {
      measurements[at->second] = row.measurement;
    }
  }
  auto space = space::Space::of(std::move(*good), cells);
  if (!space) return Unexpected(space.error());
  return Recorded{.name = std::move(name),
                  .device = std::move(device),
                  .kernel = std::move(kernel),
                  .space = std::move(*space),
                  .measurements = std::move(measurements),
                  .is_cut = is_cut,
                  .combinations = combinations};
}

}  // namespace vyre::formats
