#include "report/effect.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>

namespace vyre::report {
namespace {

using space::Value;

constexpr std::size_t most_columns = 24;

std::optional<double> number_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  return std::nullopt;
}

// The different values, and the attempts that have them.
struct Group {
  Value value;
  std::vector<std::size_t> tried;
};

std::vector<Group> groups_of(const Run& run, std::size_t parameter) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> by_text;
  for (std::size_t i = 0; i < run.results().tried.size(); ++i) {
    const Value& value = run.tried(i).values[parameter];
    const auto [at, is_new] = by_text.emplace(space::to_string(value), groups.size());
    if (is_new) groups.push_back({value, {}});
    groups[at->second].tried.push_back(i);
  }
  const auto has_number = [](const Group& group) { return number_of(group.value).has_value(); };
  if (std::ranges::all_of(groups, has_number)) {
    std::ranges::stable_sort(groups, std::less(),
                             [](const Group& group) { return *number_of(group.value); });
  }
  return groups;
}

void finish(const Run& run, Column& column) {
  if (column.timed.empty()) return;
  std::vector<double> times;
  for (const std::size_t i : column.timed) times.push_back(run.ms(i));
  column.median_ms = measure::median(times);
  column.best_ms = std::ranges::min(times);
}

std::vector<Column> columns_of(const Run& run, const std::vector<Group>& groups,
                               const std::vector<bool>& is_timed) {
  const std::size_t count = std::min(groups.size(), most_columns);
  std::vector<Column> columns(count);
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t begin = c * groups.size() / count;
    const std::size_t end = (c + 1) * groups.size() / count;
    columns[c].first = groups[begin].value;
    columns[c].last = groups[end - 1].value;
    for (std::size_t g = begin; g < end; ++g) {
      for (const std::size_t i : groups[g].tried) {
        if (is_timed[i]) {
          columns[c].timed.push_back(i);
        } else {
          ++columns[c].failed;
        }
      }
    }
    finish(run, columns[c]);
  }
  return columns;
}

double ratio_of(const std::vector<Column>& columns) {
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0;
  for (const Column& column : columns) {
    if (column.timed.empty()) continue;
    least = std::min(least, column.median_ms);
    greatest = std::max(greatest, column.median_ms);
  }
  return greatest > 0 ? greatest / least : 1;
}

}  // namespace

std::vector<Effect> effects_of(const Run& run) {
  std::vector<bool> is_timed(run.results().tried.size());
  for (const std::size_t i : run.timed()) is_timed[i] = true;
  std::vector<Effect> effects;
  for (std::size_t p = 0; p < run.results().parameters.size(); ++p) {
    const auto groups = groups_of(run, p);
    if (groups.size() < 2) continue;
    Effect effect{p, columns_of(run, groups, is_timed)};
    effect.ratio = ratio_of(effect.columns);
    effects.push_back(std::move(effect));
  }
  std::ranges::stable_sort(effects, std::greater(), &Effect::ratio);
  return effects;
}

}  // namespace vyre::report
