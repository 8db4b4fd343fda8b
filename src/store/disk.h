// What the store asks of a disk beside replacing files: reading them whole, setting them aside, and
// a lock between processes. Messages name the file and what the system said.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/disk.h"
#include "vyre/base/error.h"

namespace vyre::store {

struct Content {
  std::string text;
  std::optional<Stamp> stamp;  // none: there is no such file
  bool is_cut = false;         // it is longer than was asked for
};

// A file that is to be replaced cannot be a pipe; one that is only read can.
enum class Pipes : std::uint8_t { refused, read };
[[nodiscard]] Result<Content> read_file(const std::filesystem::path& path, std::size_t most,
                                        Pipes pipes = Pipes::refused);
// Of the file that is there now; none if there is none.
[[nodiscard]] std::optional<Stamp> stamp_of(const std::filesystem::path& path);

// Gives the file a second name that no other has, and returns it.
[[nodiscard]] Result<std::filesystem::path> set_aside(const std::filesystem::path& path);

// Undoes it, where the file could not be replaced after all.
void take_back(const std::filesystem::path& aside, const std::filesystem::path& path);

// With all that are missing above it; for its owner only.
[[nodiscard]] Result<void> make_directory(const std::filesystem::path& path);

// A lock between processes, by a file beside the locked one. Until it is destroyed, other processes
// and other locks of this one wait.
class Lock {
 public:
  [[nodiscard]] static Result<Lock> take(const std::filesystem::path& file,
                                         std::chrono::milliseconds limit);

  // How often the locked file was replaced: no two contents have the same number, even where
  // their stamps are equal.
  [[nodiscard]] std::uint64_t generation() const;
  [[nodiscard]] Result<std::uint64_t> advance();

 private:
  explicit Lock(Descriptor descriptor, std::filesystem::path path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Descriptor descriptor_;
  std::filesystem::path path_;
};

}  // namespace vyre::store
