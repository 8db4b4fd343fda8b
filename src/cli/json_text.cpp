#include "cli/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace vyre::cli {

// They can only be in strings, where an escape means the same.
std::string json_text(const nlohmann::ordered_json& json) {
  const std::string text =
      json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    if (text[i] == '\x7f') {
      out += "\\u007f";
    } else if (text[i] == '\xc2' && next < 0xA0) {
      out += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out + "\n";
}

}  // namespace vyre::cli
