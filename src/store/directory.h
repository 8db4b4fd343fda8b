// The files in the directory of the store: one per adapter.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"

namespace vyre::store {

// The name of an adapter's file. An adapter's id() stays as it is; any other text becomes letters,
// digits and '-' with 16 digits of its hash, so that it cannot lead out of a directory.
[[nodiscard]] std::string file_name(std::string_view adapter);

// The files of a directory by name; none if there is no such directory.
[[nodiscard]] Result<std::vector<std::filesystem::path>> files(
    const std::filesystem::path& directory);

}  // namespace vyre::store
