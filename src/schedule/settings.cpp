#include "schedule/settings.h"

#include <fmt/format.h>

#include <algorithm>

namespace vyre::schedule {
namespace {

// The text up to the next space, which is taken away from it.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

Result<std::vector<Setting>> parse_settings(std::string_view text) {
  std::vector<Setting> made;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const std::size_t sign = word.find('=');
    if (sign == std::string_view::npos) {
      return fail(ErrorKind::input, fmt::format("'{}' is not of the form name=value", word));
    }
    made.push_back({word.substr(0, sign), word.substr(sign + 1)});
  }
  return made;
}

}  // namespace vyre::schedule
