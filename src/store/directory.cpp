#include "store/directory.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/base/hash.h"
#include "vyre/store/store.h"

namespace vyre::store {
namespace {

constexpr std::size_t longest_name = 80;
constexpr std::size_t longest_part = 40;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

std::string plain_part(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, longest_part)) {
    if (is_plain(c)) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  return out;
}

}  // namespace

std::filesystem::path directory(std::string_view xdg_cache_home, std::string_view home) {
  const std::filesystem::path below = std::filesystem::path("vyre") / "tuner";
  const std::filesystem::path cache(xdg_cache_home);
  if (cache.is_absolute()) return cache / below;
  if (!home.empty()) return std::filesystem::path(home) / ".cache" / below;
  return std::filesystem::path(".") / below;
}

std::string file_name(std::string_view adapter) {
  const bool safe =
      !adapter.empty() && adapter.size() <= longest_name && std::ranges::all_of(adapter, is_plain);
  if (safe) return fmt::format("{}.toml", adapter);
  return fmt::format("{}-{}.toml", plain_part(adapter), to_hex(blake2b(adapter)).substr(0, 16));
}

Result<std::vector<std::filesystem::path>> files(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> found;
  std::error_code failure;
  std::filesystem::directory_iterator at(directory, failure);
  if (failure == std::errc::no_such_file_or_directory) return found;
  for (; !failure && at != std::filesystem::directory_iterator(); at.increment(failure)) {
    if (at->path().extension() == ".toml") found.push_back(at->path());
  }
  if (failure) {
    return fail(ErrorKind::io, fmt::format("cannot read the directory {}: {}", directory.string(),
                                           failure.message()));
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace vyre::store
