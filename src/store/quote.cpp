#include "store/quote.h"

#include <nlohmann/json.hpp>

namespace vyre::store {
namespace {

using Json = nlohmann::json;

std::string as_json(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : as_json(text)) {
    // JSON lets this one stand as it is; TOML does not.
    out += c == 0x7f ? "\\u007f" : std::string_view(&c, 1);
  }
  return out;
}

std::string readable(std::string_view text) {
  return Json::parse(as_json(text)).get<std::string>();
}

std::optional<std::string> unescaped(std::string_view inside, char quote) {
  std::string json = "\"";
  for (const char c : inside) {
    if (quote == '\'' && (c == '"' || c == '\\')) json += '\\';
    json += c == '\t' ? "\\t" : std::string_view(&c, 1);
  }
  const Json parsed = Json::parse(json + '"', nullptr, false);
  if (!parsed.is_string()) return {};
  return parsed.get<std::string>();
}

}  // namespace vyre::store
