#include "schedule/examples.h"

#include <fmt/format.h>

#include <charconv>

#include "base/check.h"
#include "schedule/learned.h"
#include "schedule/settings.h"

namespace vyre::schedule {
namespace {

// The text up to the separator, which is taken away from it with the text.
std::string_view take_until(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

template <class Number>
bool read_number(std::string_view text, Number& into) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), into);
  return problem == std::errc() && end == text.data() + text.size();
}

// Integers and words: other values are not a schedule's.
space::Value parse_value(std::string_view text) {
  std::int64_t whole = 0;
  if (read_number(text, whole)) return whole;
  return std::string(text);
}

Result<Example> parse_example(std::string_view line) {
  Example made;
  std::string_view head = take_until(line, '|');
  if (!read_number(take_until(head, ' '), made.gain) || !(made.gain > 0)) {
    return fail(ErrorKind::input, "an example starts with its gain");
  }
  made.program = take_until(head, ' ');
  const auto features = parse_features(take_until(line, '|'));
  if (!features) return Unexpected(features.error());
  made.features = *features;
  auto configuration = parse_configuration(line);
  if (!configuration) return Unexpected(configuration.error());
  made.configuration = *std::move(configuration);
  return made;
}

}  // namespace

std::string to_string(const Example& example) {
  std::string text =
      fmt::format("{:.4g} {} | {} |", example.gain, example.program, to_string(example.features));
  for (const auto& [name, value] : example.configuration) {
    text += fmt::format(" {}={}", name, space::to_string(value));
  }
  return text;
}

Result<std::vector<Example>> parse_examples(std::string_view text) {
  std::vector<Example> made;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_until(text, '\n');
    if (line.empty() || line.starts_with('#')) continue;
    auto example = parse_example(line);
    if (!example) return fail(ErrorKind::input, example.error().message, {number, 1});
    made.push_back(*std::move(example));
  }
  return made;
}

Result<std::vector<NamedValue>> parse_configuration(std::string_view text) {
  const auto settings = parse_settings(text);
  if (!settings) return Unexpected(settings.error());
  std::vector<NamedValue> made;
  for (const Setting& setting : *settings) {
    made.push_back({std::string(setting.name), parse_value(setting.value)});
  }
  return made;
}

std::span<const Example> learned_examples() {
  static const std::vector<Example> all = [] {
    auto parsed = parse_examples(learned_text());
    check(parsed.has_value(), "the learned examples can be read");
    return *std::move(parsed);
  }();
  return all;
}

std::vector<NamedValue> named_values(const space::Space& space, space::Index index) {
  std::vector<NamedValue> made;
  const auto values = space.values(index);
  for (std::size_t i = 0; i < values.size(); ++i) {
    made.push_back({space.parameters()[i].name, values[i]});
  }
  return made;
}

}  // namespace vyre::schedule
