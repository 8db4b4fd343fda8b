#include "device/program_texts.h"

#include <gtest/gtest.h>

namespace vyre::device {
namespace {

TEST(ProgramTexts, AreCutAfterTheBraceThatEndsAProgram) {
  const auto pieces = program_texts("program a { if true { } }\nprogram b { }\n");
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].text, "program a { if true { } }");
  EXPECT_EQ(pieces[1].text, "\nprogram b { }");
}

TEST(ProgramTexts, KnowTheLineTheyStartIn) {
  const auto pieces = program_texts("program a {\n\n}\nprogram b { }");
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].first_line, 1U);
  EXPECT_EQ(pieces[1].first_line, 3U);  // the rest of the line with the brace
}

TEST(ProgramTexts, DoNotEndAtABraceInACommentOrARegionsName) {
  const auto pieces = program_texts("program a { // }\n region \"}\" { } }");
  ASSERT_EQ(pieces.size(), 1U);
}

TEST(ProgramTexts, KeepWhatIsNotAProgramForTheParserToReport) {
  const auto pieces = program_texts("program a { } and more");
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[1].text, " and more");
  EXPECT_EQ(program_texts("program a {").size(), 1U);
}

TEST(ProgramTexts, AreNoneWhereThereAreOnlyCommentsAndSpaces) {
  EXPECT_TRUE(program_texts("").empty());
  EXPECT_TRUE(program_texts(" // nothing\n\n").empty());
  EXPECT_EQ(program_texts("program a { }\n// the end\n").size(), 1U);
}

}  // namespace
}  // namespace vyre::device
