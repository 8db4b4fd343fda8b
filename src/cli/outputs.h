// The files that options ask for, checked together before the work: each can be written, no two are
// one file, and none is what the command reads its program or data from.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::cli {

struct OutputFile {
  std::string option;  // as it was given, for messages: "--report", "--out y"
  std::string path;
};

[[nodiscard]] Result<void> check_outputs(std::span<const OutputFile> outputs,
                                         std::span<const std::string> inputs = {});

// What was printed so far comes first, where both go to one place. See base/output.h.
[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace vyre::cli
