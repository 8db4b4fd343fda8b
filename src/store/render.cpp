#include "store/render.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "store/utf8.h"

namespace vyre::store {
namespace {

template <class... Values>
void add(std::string& into, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(into), format, std::forward<Values>(values)...);
}

std::string list(const Size& size) {
  return fmt::format("[{}, {}, {}]", size[0], size[1], size[2]);
}

// A float of TOML has a point or an exponent.
std::string number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

std::string name_of(const std::string& name) {
  return std::ranges::all_of(name, is_bare) ? name : quoted(name);
}

struct ValueText {
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return number(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return quoted(value); }
};

std::string settings(const std::vector<Setting>& configuration) {
  if (configuration.empty()) return "{}";
  std::string text = "{ ";
  for (const Setting& setting : configuration) {
    if (text.size() > 2) text += ", ";
    add(text, "{} = {}", name_of(setting.name), std::visit(ValueText(), setting.value));
  }
  return text + " }";
}

void add_elapsed(std::string& text, std::string_view name, const measure::Estimate& elapsed) {
  add(text, "{}_ns = {}\n", name, number(elapsed.value));
  add(text, "{}_low_ns = {}\n", name, number(elapsed.interval.low));
  add(text, "{}_high_ns = {}\n", name, number(elapsed.interval.high));
}

void add_baseline(std::string& text, const Baseline& baseline) {
  add_elapsed(text, "default", baseline.elapsed);
  add(text, "speedup = {}\n", number(baseline.speedup.value));
  add(text, "speedup_low = {}\n", number(baseline.speedup.interval.low));
  add(text, "speedup_high = {}\n", number(baseline.speedup.interval.high));
}

std::string full(const Decision& decision) {
  const Evidence& e = *decision.evidence;
  std::string text;
  add(text, "[\"{}\"]\n", to_string(decision.key));
  add(text, "program = \"{}\"\n", to_hex(e.dispatch.program));
  add(text, "name = {}\n", quoted(e.program_name));
  add(text, "declared = {}\n", list(e.dispatch.workgroup));
  if (e.dispatch.groups) add(text, "groups = {}\n", list(*e.dispatch.groups));
  add(text, "output_bytes = {}\n", e.dispatch.output_bytes);
  if (e.dispatch.input_bytes != 0) add(text, "input_bytes = {}\n", e.dispatch.input_bytes);
  add(text, "workgroup = {}\n", list(decision.workgroup));
  add(text, "configuration = {}\n", settings(e.configuration));
  add_elapsed(text, "elapsed", e.elapsed);
  if (e.baseline) add_baseline(text, *e.baseline);
  add(text, "samples = {}\n", e.samples);
  add(text, "date = {}\n", to_string(e.date));
  // A text is complete or not TOML: these come last, so that a cut cannot go unseen.
  add(text, "strategy = {}\n", quoted(e.strategy));
  add(text, "vyre = {}\n", quoted(e.vyre));
  add(text, "driver = {}\n", quoted(e.driver));
  add(text, "check = \"{}\"", checksum(text));
  return text;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : readable(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      add(out, "\\{}", c);
    } else if (byte < 0x20 || byte == 0x7f) {
      add(out, "\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string readable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    out += length == 0 ? "\xef\xbf\xbd" : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string render(const Decision& decision) {
  if (decision.evidence) return full(decision);
  return fmt::format("\"{}\" = {}", to_string(decision.key), list(decision.workgroup));
}

std::string checksum(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  unsigned long crc =
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  std::string hex(8, '0');
  for (auto digit = hex.rbegin(); digit != hex.rend(); ++digit, crc >>= 4U) {
    *digit = digits[crc & 0xfU];
  }
  return hex;
}

}  // namespace vyre::store
