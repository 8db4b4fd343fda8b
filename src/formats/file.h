// Whole files as text. What is compressed with gzip is read whatever its name says, and written
// where the name ends in .gz.
#pragma once

#include <string>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::formats {

inline constexpr std::size_t max_file_bytes = std::size_t{1} << 30;

[[nodiscard]] Result<std::string> read_text(const std::string& path,
                                            std::size_t most = max_file_bytes);

// See write_output.
[[nodiscard]] Result<void> write_text(const std::string& path, std::string_view text);

// "gemm-A100" of "data/gemm-A100.json.gz".
[[nodiscard]] std::string stem(std::string_view path);

}  // namespace vyre::formats
