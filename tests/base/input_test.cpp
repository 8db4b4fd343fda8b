// Files and pipes that are read.
#include "base/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "support/subprocess.h"

namespace vyre {
namespace {

using namespace std::chrono_literals;

class Fifo : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0); }
  [[nodiscard]] std::string path() const { return (directory_.path() / "fifo").string(); }

 private:
  testing::TemporaryDirectory directory_;
};

TEST_F(Fifo, WithoutAWriterItIsRefusedAndNotWaitedForEver) {
  const auto opened = open_input(path(), 20ms);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error(), "it is a pipe, and nobody has opened it to write for 20 ms");
}

TEST_F(Fifo, IsReadToTheEndThatItsWriterMakes) {
  std::jthread writer([this] { std::ofstream(path()) << std::string(200'000, 'x') << "end"; });
  const auto opened = open_input(path(), 60s);
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(read_up_to(*opened, 1 << 20), std::string(200'000, 'x') + "end");
}

// The writer is there but has nothing to say before the patience is over.
TEST_F(Fifo, AWriterMayTakeItsTimeAndNoByteIsLost) {
  const Descriptor reader = open_file(path(), O_RDONLY | O_NONBLOCK);
  const Descriptor writer = open_file(path(), O_WRONLY);
  const auto opened = open_input(path(), 1ms);
  ASSERT_TRUE(opened) << opened.error();
  ASSERT_EQ(::write(writer.number(), "ab", 2), 2);
  std::array<char, 2> got{};
  EXPECT_EQ(read_into(*opened, got), 2U);
  EXPECT_EQ(std::string(got.data(), 2), "ab");
}

// What bash's <(...) is.
TEST(Input, AnUnnamedPipeIsReadByItsPathAlsoWhenItsWriterHasGone) {
  for (const std::string_view text : {"some", ""}) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const Descriptor out(ends[0]);
    {
      const Descriptor in(ends[1]);
      ASSERT_EQ(::write(in.number(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    const auto opened = open_input("/dev/fd/" + std::to_string(out.number()), 60s);
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_EQ(read_up_to(*opened, 100), text);
  }
}

TEST(Input, NoMoreIsReadThanWasAskedFor) {
  const testing::TemporaryDirectory directory;
  const std::string file = directory.write("file", std::string(100'000, 'x'));
  for (const std::size_t most : {0UL, 1UL, 65'536UL, 65'537UL, 99'999UL}) {
    EXPECT_EQ(read_up_to(*open_input(file), most)->size(), most);
  }
  EXPECT_EQ(read_up_to(*open_input(file), 1 << 20)->size(), 100'000U);
}

TEST(Input, WhatIsNotThereOrNoFileSaysWhy) {
  const testing::TemporaryDirectory directory;
  EXPECT_EQ(open_input(directory.path() / "none").error(), "No such file or directory");
  const auto folder = open_input(directory.path());
  ASSERT_TRUE(folder);
  EXPECT_EQ(read_up_to(*folder, 10), std::nullopt);
}

}  // namespace
}  // namespace vyre
