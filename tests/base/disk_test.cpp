// Files that are replaced durably: the test sees what the system is asked to do, and in what order.
#include "base/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>

#include "support/subprocess.h"

namespace vyre {
namespace {

struct Watch {
  std::vector<std::string> calls;
  std::string failing;  // the call that is to fail, as it appears in `calls`
};
Watch* watch = nullptr;

// Whether the call may go on.
bool seen(const std::string& call) {
  if (watch == nullptr) return true;
  watch->calls.push_back(call);
  errno = EIO;
  return call != watch->failing;
}

std::string name_of(int descriptor) {
  std::array<char, 4096> path{};
  const std::string link = fmt::format("/proc/self/fd/{}", descriptor);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  if (length < 0) return "?";
  return std::filesystem::path(std::string(path.data(), static_cast<std::size_t>(length)))
      .filename();
}

// With what is in it by now.
std::string flushed(int descriptor) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) return "?";
  if (S_ISDIR(status.st_mode)) return "flush the directory " + name_of(descriptor);
  return fmt::format("flush {} of {} bytes", name_of(descriptor), status.st_size);
}

}  // namespace
}  // namespace vyre

// Those of this program take the place of the system's.
extern "C" int fsync(int descriptor) {
  if (!vyre::seen(vyre::flushed(descriptor))) return -1;
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

extern "C" int rename(const char* from, const char* to) noexcept {
  const auto name = [](const char* path) {
    return std::filesystem::path(path).filename().string();
  };
  if (!vyre::seen("rename " + name(from) + " to " + name(to))) return -1;
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

namespace vyre {
namespace {

using testing::TemporaryDirectory;

class ReplaceFile : public ::testing::Test {
 protected:
  ReplaceFile() : path_(dir_.write("a.toml", "old")) { watch = &watch_; }
  ~ReplaceFile() override { watch = nullptr; }

  [[nodiscard]] const std::vector<std::string>& calls() const { return watch_.calls; }
  [[nodiscard]] std::string flush_directory() const {
    return "flush the directory " + dir_.path().filename().string();
  }
  [[nodiscard]] Result<Stamp> replace(const std::string& text, const std::string& failing = "") {
    watch_.failing = failing;
    return replace_file(path_, text);
  }
  [[nodiscard]] std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool has_draft() const { return std::filesystem::exists(path_ + ".new"); }

 private:
  TemporaryDirectory dir_;
  std::string path_;
  Watch watch_;
};

TEST_F(ReplaceFile, FlushesWhatItWroteBeforeItRenamesAndThenTheDirectory) {
  ASSERT_TRUE(replace("new text"));
  EXPECT_EQ(content(), "new text");
  EXPECT_EQ(calls(), (std::vector<std::string>{"flush a.toml.new of 8 bytes",
                                               "rename a.toml.new to a.toml", flush_directory()}));
}

TEST_F(ReplaceFile, LeavesTheOldTextWhereTheNewOneCannotBeFlushedOrRenamed) {
  for (const char* failing : {"flush a.toml.new of 8 bytes", "rename a.toml.new to a.toml"}) {
    const auto replaced = replace("new text", failing);
    ASSERT_FALSE(replaced) << failing;
    EXPECT_EQ(replaced.error().kind, ErrorKind::io);
    EXPECT_EQ(calls().back(), failing);
    EXPECT_EQ(content(), "old");
    EXPECT_FALSE(has_draft());
  }
}

TEST_F(ReplaceFile, IsForItsOwnerOnlyUnlessTheOldOneWasForOthersToo) {
  const auto mode = [&] { return std::filesystem::status(path()).permissions(); };
  using enum std::filesystem::perms;
  const mode_t before = umask(0);
  std::filesystem::permissions(path(), owner_read | owner_write | group_read | others_all);
  EXPECT_TRUE(replace("new text"));
  EXPECT_EQ(mode(), owner_read | owner_write | group_read | others_read | others_exec);
  std::filesystem::remove(path());
  EXPECT_TRUE(replace("new text"));
  umask(before);
  EXPECT_EQ(mode(), owner_read | owner_write);
}

TEST(FollowLinks, GoesToTheLastNameWhetherOrNotItExists) {
  const TemporaryDirectory dir;
  std::filesystem::create_symlink("b", dir.path() / "a");
  std::filesystem::create_symlink(dir.path() / "c", dir.path() / "b");
  EXPECT_EQ(follow_links(dir.path() / "a").value(), dir.path() / "c");
  dir.write("c", "");
  EXPECT_EQ(follow_links(dir.path() / "a").value(), dir.path() / "c");
  EXPECT_EQ(follow_links(dir.path() / "c").value(), dir.path() / "c");
}

TEST(FollowLinks, RefusesACircle) {
  const TemporaryDirectory dir;
  std::filesystem::create_symlink("b", dir.path() / "a");
  std::filesystem::create_symlink("a", dir.path() / "b");
  const auto followed = follow_links(dir.path() / "a");
  ASSERT_FALSE(followed);
  EXPECT_EQ(followed.error().kind, ErrorKind::io);
}

TEST_F(ReplaceFile, IsNotDoneUntilTheDirectoryIsFlushed) {
  const auto replaced = replace("new text", flush_directory());
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace vyre
