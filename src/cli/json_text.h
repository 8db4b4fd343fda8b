// JSON as the commands print it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vyre::cli {

// With a line end. Names may be any bytes: those that are not UTF-8 are replaced, and control
// characters are escaped, also those that JSON lets stand.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

}  // namespace vyre::cli
