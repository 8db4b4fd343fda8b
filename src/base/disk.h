// Files that are replaced at once or not at all: what is written goes beside the old one and takes
// its name when it is on the disk. Messages name the file and what the system said.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
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
  // Leaves closing it to the caller.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

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
// one. It is for its owner only, unless the old one was for others too. Requires that nobody else
// replaces the same file meanwhile, and that its name is no link: a link would be replaced.
[[nodiscard]] Result<Stamp> replace_file(const std::filesystem::path& path, std::string_view text);

// The number of the descriptor of this process that a name in /proc or /dev/fd stands for.
[[nodiscard]] std::optional<int> own_descriptor(const std::filesystem::path& path);

// The file that a name stands for: through links to the last name, whether or not that exists, or
// to that of a descriptor. Refuses links that go round in a circle.
[[nodiscard]] Result<std::filesystem::path> follow_links(const std::filesystem::path& path);

// A name in a directory lasts only once the directory is on the disk.
[[nodiscard]] Result<void> flush_directory(const std::filesystem::path& path);

// The directory that a file is in.
[[nodiscard]] std::filesystem::path parent_of(const std::filesystem::path& path);

// Those of what nobody else is to change or read, and of what a user asked for.
inline constexpr mode_t private_file = 0600;
inline constexpr mode_t private_directory = 0700;
inline constexpr mode_t output_file = 0664;  // less what the user's mask takes away

// A draft gets the owner and the mode of the file that it is to replace, as far as the system lets
// it, but is never for all to change.
void keep_access(int draft, const std::filesystem::path& old);

// Not inherited by other programs; check valid(). A file that is made has this mode.
[[nodiscard]] Descriptor open_file(const std::filesystem::path& path, int flags,
                                   mode_t mode = private_file);

// Whether all of it could be written; else errno says why not.
[[nodiscard]] bool write_all(int descriptor, std::string_view text);

// Reads and writes wait, although it was opened with O_NONBLOCK. False: errno says why not.
[[nodiscard]] bool make_blocking(const Descriptor& file);

// "cannot <what> <path>: " and what errno says.
[[nodiscard]] Failure io_failure(const char* what, const std::filesystem::path& path);

}  // namespace vyre
