// Decisions as words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/store_files.h"

namespace vyre::cli {

// "1 decision", "2 decisions".
[[nodiscard]] std::string decisions_text(std::size_t count);

// Of a decision, for people: "1024x1x1, 4 MiB", "4x64x1 tile=16", "2.95".
[[nodiscard]] std::string program_text(const store::Decision& decision);
[[nodiscard]] std::string size_text(const store::Decision& decision);
[[nodiscard]] std::string choice_text(const store::Decision& decision);
[[nodiscard]] std::string speedup_text(const store::Decision& decision);

// The decisions of these files as JSON: {"adapters": [{"adapter", "device", "decisions": [...]}]}.
[[nodiscard]] std::string store_json(const std::vector<ReadFile>& files);
[[nodiscard]] std::string store_json(const std::string& adapter, const store::Decision& decision);

}  // namespace vyre::cli
