// Files that a user asked for: nothing is lost where they cannot be written, and what is no file is
// written to as it is.
#include "base/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "support/subprocess.h"

namespace vyre {
namespace {

using testing::TemporaryDirectory;
using Names = std::vector<std::string>;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

// In a process of its own, in which no file may have more than so many bytes.
template <class Work>
bool holds_with_small_files(rlim_t bytes, const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
    _exit(setrlimit(RLIMIT_FSIZE, &limit) == 0 && work() ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Output, ReplacesAFileAndLeavesNothingBesideIt) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a", "old");
  ASSERT_TRUE(write_output(path, "new"));
  EXPECT_EQ(dir.read("a"), "new");
  ASSERT_TRUE(write_output(dir.path() / "b", "fresh"));
  EXPECT_EQ(dir.names(), (Names{"a", "b"}));
}

TEST(Output, LeavesTheOldFileWhereThereIsNoRoomForTheNewOneAndSaysWhy) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a", "old");
  EXPECT_TRUE(holds_with_small_files(100, [&] {
    const auto written = write_output(path, std::string(1000, 'x'));
    return !written && written.error().kind == ErrorKind::io &&
           written.error().message == "cannot write " + path + ": File too large";
  }));
  EXPECT_EQ(dir.read("a"), "old");
  EXPECT_EQ(dir.names(), (Names{"a"}));
}

TEST(Output, DoesNotTouchFilesOfTheUserThatLookLikeDrafts) {
  const TemporaryDirectory dir;
  dir.write("a.new", "mine");
  ASSERT_TRUE(write_output(dir.path() / "a", "new"));
  EXPECT_EQ(dir.read("a.new"), "mine");
}

TEST(Output, KeepsTheModeOfTheFileAndMakesNoneForAllToChange) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a", "old");
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  const mode_t mask = umask(0);
  EXPECT_TRUE(write_output(path, "new"));
  EXPECT_TRUE(write_output(dir.path() / "b", "new"));
  umask(mask);
  EXPECT_EQ(mode_of(path), 0600U);
  EXPECT_EQ(mode_of(dir.path() / "b") & S_IWOTH, 0U);
}

TEST(Output, GoesWhereALinkLeadsAlsoIfNothingIsThereYet) {
  const TemporaryDirectory dir;
  dir.write("file", "old");
  std::filesystem::create_symlink("file", dir.path() / "link");
  std::filesystem::create_symlink("nothing", dir.path() / "dangling");
  ASSERT_TRUE(write_output(dir.path() / "link", "new"));
  ASSERT_TRUE(write_output(dir.path() / "dangling", "newer"));
  EXPECT_EQ(dir.read("file"), "new");
  EXPECT_EQ(dir.read("nothing"), "newer");
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "dangling"));
}

TEST(Output, RefusesLinksThatGoRoundInACircleAndDirectories) {
  const TemporaryDirectory dir;
  std::filesystem::create_symlink("b", dir.path() / "a");
  std::filesystem::create_symlink("a", dir.path() / "b");
  for (const auto& path : {dir.path() / "a", dir.path(), dir.path() / "none" / "a"}) {
    const auto written = write_output(path, "new");
    ASSERT_FALSE(written) << path;
    EXPECT_EQ(written.error().kind, ErrorKind::io);
    EXPECT_FALSE(check_output(path)) << path;
  }
}

TEST(Output, WritesToPipesAndDevicesAsTheyAre) {
  const TemporaryDirectory dir;
  const std::string fifo = dir.path() / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { std::getline(std::ifstream(fifo), got); });
  EXPECT_TRUE(check_output(fifo));
  EXPECT_TRUE(write_output(fifo, "through\n"));
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(fifo));

  EXPECT_TRUE(write_output("/dev/null", "gone"));
  const auto full = write_output("/dev/full", "no room");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message, "cannot write /dev/full: No space left on device");
}

// As /dev/stdout is where that was redirected: the file must stay the one that is open.
TEST(Output, WritesToAnOpenDescriptorByItsNameWhereThatIs) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a", "");
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(write(descriptor, "one ", 4), 4);
  ASSERT_TRUE(write_output("/dev/fd/" + std::to_string(descriptor), "two "));
  ASSERT_EQ(write(descriptor, "three", 5), 5);
  close(descriptor);
  EXPECT_EQ(dir.read("a"), "one two three");
}

TEST(Output, IsOneHoweverItIsSpelled) {
  const TemporaryDirectory dir;
  const auto& path = dir.path();
  std::filesystem::create_directory(path / "sub");
  std::filesystem::create_symlink("a", path / "link");
  for (const auto& other :
       {path / "a", path / "." / "a", path / "sub" / ".." / "a", path / "link"}) {
    EXPECT_TRUE(is_same_output(path / "a", other)) << other;
  }
  EXPECT_FALSE(is_same_output(path / "a", path / "b"));
  EXPECT_FALSE(is_same_output("/dev/null", "/dev/null"));  // nothing is replaced
}

}  // namespace
}  // namespace vyre
