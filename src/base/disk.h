// Files that are replaced at once or not at all: what is written goes beside the old one and takes
// its name when it is on the disk. Messages name the file and what the system said.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "vyre/base/error.h"

namespace vyre {

// A descriptor that is closed.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }

 private:
  int number_;
};

// Which content of which file it is, as far as the system can tell.
struct Stamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;

  bool operator==(const Stamp&) const = default;
};
[[nodiscard]] Stamp stamp_from(const struct stat& status);

// When it returns, the file has this text, whatever happens to the power. Until then it has the old
// one. Requires that nobody else replaces the same file meanwhile.
[[nodiscard]] Result<Stamp> replace_file(const std::filesystem::path& path, std::string_view text);

// A name in a directory lasts only once the directory is on the disk.
[[nodiscard]] Result<void> flush_directory(const std::filesystem::path& path);

// The directory that a file is in.
[[nodiscard]] std::filesystem::path parent_of(const std::filesystem::path& path);

// Not inherited by other programs; check valid().
[[nodiscard]] Descriptor open_file(const std::filesystem::path& path, int flags);

// "cannot <what> <path>: " and what errno says.
[[nodiscard]] std::unexpected<Error> io_failure(const char* what,
                                                const std::filesystem::path& path);

}  // namespace vyre
