// Files that a user asked for: results, traces, pages.
//
// What is there is lost only when the new content is whole: it is written to a file beside it,
// which then takes its name. What cannot be replaced, a pipe, a device or a standard stream by its
// name, is written to as it is; a pipe that nobody reads is refused after 2 s.
#pragma once

#include <filesystem>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre {

// Through links to the file itself.
[[nodiscard]] Result<void> write_output(const std::filesystem::path& path,
                                        std::string_view content);

// Whether that can be done, as far as it is known before the work.
[[nodiscard]] Result<void> check_output(const std::filesystem::path& path);

// Whether one would replace the other, however they are spelled.
[[nodiscard]] bool is_same_output(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace vyre
