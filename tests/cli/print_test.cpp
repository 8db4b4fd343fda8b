// Standard streams that cannot be written to, and text that is none.
#include "cli/print.h"

#include <gtest/gtest.h>

#include <vector>

#include "cli/vyre.h"
#include "support/paths.h"

namespace vyre::testing {
namespace {

constexpr const char* fill =
    "program fill { buffer y: f32[64] write grid 64 y[invocation.x] = 1.0 }";

// `redirection` is the shell's: "2>&-" closes standard error.
Finished vyre_with(const std::string& redirection, const std::vector<std::string>& arguments,
                   const TemporaryDirectory& cache) {
  std::vector<std::string> command = {"/bin/sh", "-c", "exec \"$0\" \"$@\" " + redirection,
                                      testing::paths::tool};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(command, {{"XDG_CACHE_HOME", cache.path().string()}});
}

TEST(Print, MessagesThatCannotBeWrittenDoNotChangeTheStatus) {
  const TemporaryDirectory dir;
  const std::string bad = dir.write("bad.vy", "program {");
  const std::string good = dir.write("good.vy", fill);
  for (const char* redirection : {"2>&-", "2>/dev/full"}) {
    EXPECT_EQ(vyre_with(redirection, {"check", bad}, dir).status, 2) << redirection;
    EXPECT_EQ(vyre_with(redirection, {"nonsense"}, dir).status, 2) << redirection;
    EXPECT_EQ(vyre_with(redirection, {"devices", "--nonsense"}, dir).status, 2) << redirection;
    const auto ran = vyre_with(redirection, {"run", good, "--device", "reference"}, dir);
    EXPECT_EQ(ran.status, 0) << redirection;
    EXPECT_TRUE(contains(ran.out, "y=1")) << ran.out;
  }
}

TEST(Print, ResultsThatCannotBeWrittenAreAFailure) {
  const TemporaryDirectory dir;
  const std::string good = dir.write("good.vy", fill);
  const std::vector<std::vector<std::string>> calls = {
      {"check", good},
      {"check", good, "--emit", "opencl"},
      {"run", good, "--device", "reference"},
      {"tune", good, "--device", "reference", "--budget", "2"},
      {"store", "list"},
      {"store", "list", "--json"},
      {"--version"},
      {"devices", "-h"}};
  for (const auto& call : calls) {
    for (const char* redirection : {">/dev/full", ">&-"}) {
      const auto ran = vyre_with(redirection, call, dir);
      EXPECT_EQ(ran.status, 2) << redirection << " " << call[0];
      EXPECT_TRUE(contains(ran.err, "standard output cannot be written to")) << ran.err;
    }
  }
  EXPECT_NE(vyre_with(">/dev/full", {"devices"}, dir).status, 0);
}

TEST(Printable, LeavesTextAsItIs) {
  EXPECT_EQ(cli::printable("plain, \u00fcber, \u5b57\n\tand a line"),
            "plain, \u00fcber, \u5b57\n\tand a line");
}

TEST(Printable, EscapesControlCharactersAndWhatIsNotUtf8) {
  EXPECT_EQ(cli::printable("\x1b[2J\r\x7f"), "\\x1b[2J\\x0d\\x7f");
  EXPECT_EQ(cli::printable("\xc2\x9b \x9b \xff \xe5\xad"), "\\xc2\\x9b \\x9b \\xff \\xe5\\xad");
  EXPECT_EQ(cli::printable("a\nb", ""), "a\\x0ab");
}

// The next file that is opened takes the number of a closed stream.
TEST(Print, WhatIsPrintedToAClosedStreamDoesNotEndUpInAFile) {
  const TemporaryDirectory dir;
  const std::string good = dir.write("good.vy", fill);
  const std::string out = (dir.path() / "y.bin").string();
  const auto ran =
      vyre_with("<&- >&- 2>&-", {"run", good, "--device", "reference", "--out", "y=@" + out}, dir);
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(std::filesystem::file_size(out), 256U);
}

}  // namespace
}  // namespace vyre::testing
