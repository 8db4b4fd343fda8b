#include <gtest/gtest.h>

#include "cli/vyre.h"

namespace vyre::testing {
namespace {

TEST(Vyre, ShowsAnExampleInTheHelpOfEveryCommand) {
  for (const auto* command : {"devices", "doctor", "check", "run"}) {
    const auto help = vyre({command, "-h"});
    EXPECT_EQ(help.status, 0);
    EXPECT_TRUE(contains(help.out, std::string("Example:\n  vyre ") + command)) << help.out;
    EXPECT_EQ(help.err, "");
  }
}

TEST(Vyre, ListsItsCommandsInTheHelp) {
  const auto help = vyre({"-h"});
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(contains(help.out, "devices")) << help.out;
  EXPECT_TRUE(contains(help.out, "doctor")) << help.out;
}

TEST(Vyre, RefusesAWrongCallWithStatusTwoAndAMessageOnStandardError) {
  const std::vector<std::vector<std::string>> calls = {
      {}, {"nonsense"}, {"devices", "extra"}, {"devices", "--nonsense"}, {"--nonsense"}};
  for (const auto& call : calls) {
    const auto wrong = vyre(call);
    EXPECT_EQ(wrong.status, 2);
    EXPECT_EQ(wrong.out, "");
    EXPECT_TRUE(wrong.err.starts_with("vyre: ")) << wrong.err;
  }
  EXPECT_TRUE(contains(vyre({"nonsense"}).err, "'nonsense'"));
}

TEST(Vyre, NamesAnOptionThatIsNoneAlsoWhereMoreIsMissing) {
  for (const auto* command : {"run", "check", "tune", "simulate"}) {
    const auto wrong = vyre({command, "--frob"});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_TRUE(contains(wrong.err, std::string("vyre ") + command + " has no option --frob"))
        << wrong.err;
  }
  EXPECT_TRUE(contains(vyre({"store", "show", "--frob"}).err, "vyre store show has no option"));
  EXPECT_TRUE(contains(vyre({"run"}).err, "file is required"));
}

TEST(Vyre, PrintsItsVersion) {
  const auto version = vyre({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_NE(version.out.find_first_of("0123456789"), std::string::npos) << version.out;
}

}  // namespace
}  // namespace vyre::testing
