// A directory of a session's own in which drivers keep what they compile, so that nothing is left
// behind: not by a compiler that was killed, and not by a session that was.
#pragma once

#include <filesystem>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::worker {

class Scratch {
 public:
  // Makes one in `parent`, the system's temporary directory if that is empty, and removes those of
  // this user's sessions that ended without doing so.
  [[nodiscard]] static Result<Scratch> make(const std::filesystem::path& parent);
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;
  // Removes the directory.
  ~Scratch();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Whether so little space is left that a compiler may have failed for that.
  [[nodiscard]] bool is_full() const;

 private:
  Scratch(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_ = -1;  // held as long as the session lives
};

// Removes the directory if it is one of these, this user's, and no session lives in it.
void remove_abandoned(const std::filesystem::path& directory);

}  // namespace vyre::worker
