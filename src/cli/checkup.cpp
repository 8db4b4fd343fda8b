#include "cli/checkup.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <array>

#include "cli/print.h"

namespace vyre::cli {
namespace {

using State = Check::State;

std::string in_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
    text.replace(at, 1, " | ");
  }
  return text;
}

fmt::text_style style_of(State state, bool colour) {
  if (!colour || state == State::skipped) return {};
  return fmt::fg(state == State::ok ? fmt::terminal_color::green : fmt::terminal_color::red);
}

}  // namespace

bool Checkup::add(const Check& check) {
  constexpr std::array words = {"ok", "problem", "skipped"};
  const char* word = words[static_cast<std::size_t>(check.state)];
  write_result(fmt::format(style_of(check.state, colour_), "{:<7}", word));
  print_result("  {}: {}{}{}\n", check.name, in_one_line(check.found),
               check.fix.empty() ? "" : ". To mend it: ", check.fix);
  flush_results();
  ++checks_;
  if (check.state == State::problem) ++problems_;
  return check.state != State::problem;
}

}  // namespace vyre::cli
