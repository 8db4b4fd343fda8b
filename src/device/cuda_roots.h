// The places in which installations of CUDA are usually found.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace vyre::device {

// Newest names first; only those that exist.
[[nodiscard]] inline std::vector<std::string> usual_cuda_roots() {
  std::vector<std::string> roots;
  std::error_code ignored;
  for (const char* parent : {"/usr/local", "/opt"}) {
    for (const auto& entry : std::filesystem::directory_iterator(parent, ignored)) {
      if (entry.path().filename().string().starts_with("cuda")) roots.push_back(entry.path());
    }
  }
  std::ranges::sort(roots, std::greater<>());
  return roots;
}

}  // namespace vyre::device
