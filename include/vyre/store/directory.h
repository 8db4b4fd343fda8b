// Where decisions are: a directory with one file per adapter.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"

namespace vyre::store {

// From the values of XDG_CACHE_HOME and HOME, empty if not set: $XDG_CACHE_HOME/vyre/tuner, else
// $HOME/.cache/vyre/tuner, else ./vyre/tuner.
[[nodiscard]] std::filesystem::path directory(std::string_view xdg_cache_home,
                                              std::string_view home);

// The name of an adapter's file. An adapter's id() stays as it is; any other text becomes letters,
// digits and '-' with 16 digits of its hash, so that it cannot lead out of a directory.
[[nodiscard]] std::string file_name(std::string_view adapter);

// The files of a directory by name; none if there is no such directory.
[[nodiscard]] Result<std::vector<std::filesystem::path>> files(
    const std::filesystem::path& directory);

}  // namespace vyre::store
