#include <fmt/format.h>

#include "report/tables.h"
#include "report/text.h"

namespace vyre::report {
namespace {

constexpr std::size_t longest_value = 60;

std::string shown(const space::Value& value) {
  return escaped(shortened(space::to_string(value), longest_value));
}

std::string chip(const std::string& name, const space::Value& value, const space::Value* original) {
  const std::string before =
      original == nullptr ? "" : fmt::format("<small>default {}</small>", shown(*original));
  return fmt::format("<li class=\"{}\"><span>{} = <b>{}</b></span>{}</li>\n",
                     original == nullptr ? "same" : "changed",
                     escaped(shortened(name, longest_value)), shown(value), before);
}

}  // namespace

std::string configuration(const Run& run) {
  if (!run.chosen()) return {};
  const auto& values = run.tried(*run.chosen()).values;
  std::string changed;
  std::string same;
  for (std::size_t p = 0; p < values.size(); ++p) {
    const space::Value* original = nullptr;
    if (run.original()) original = &run.tried(*run.original()).values[p];
    const bool differs = original != nullptr && !space::same(*original, values[p]);
    (differs ? changed : same) +=
        chip(run.results().parameters[p], values[p], differs ? original : nullptr);
  }
  return fmt::format("<h3>{}</h3>\n<ul class=\"chips\">\n{}{}</ul>\n",
                     run.winner() ? "Tuned configuration" : "Fastest configuration", changed, same);
}

}  // namespace vyre::report
