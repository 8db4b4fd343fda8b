#include "ir/names.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::parsed;

TEST(Names, AFreshNameIsNumberedWhereItIsTaken) {
  Names names(parsed("program p { uniform n: u32 = 1 buffer x: u32[n] read let i = 1 }"));
  EXPECT_EQ(names.fresh("k"), "k");
  EXPECT_EQ(names.fresh("k"), "k_2");
  EXPECT_EQ(names.fresh("n"), "n_2");
  EXPECT_EQ(names.fresh("x"), "x_2");
  EXPECT_EQ(names.fresh("i"), "i_2");
  EXPECT_EQ(names.fresh("for"), "for_2");  // a word of the language
}

TEST(Names, ALongNameIsShortenedOnlyWhereItNeedsANumber) {
  const std::string longest(64, 'a');
  Names names;
  EXPECT_EQ(names.fresh(longest), longest);
  EXPECT_EQ(names.fresh(longest), std::string(52, 'a') + "_2");
}

TEST(Names, AreCollectedFromAllBlocks) {
  const Block body =
      parsed("program p { var a = 0 if true { let b = a for k in 0 .. 2 { a = k } } }").body;
  EXPECT_EQ(declared_names(body), (NameSet{"a", "b", "k"}));
  EXPECT_EQ(assigned_names(body), NameSet{"a"});
  EXPECT_EQ(mutable_names(body), NameSet{"a"});
}

TEST(Names, AnExpressionMentionsTheValuesItNames) {
  const Program program = parsed("program p { buffer x: u32[4] read let i = 0 let it = x[i + 1] }");
  const Expr& value = as<Let>(program.body[1])->value;
  EXPECT_TRUE(mentions(value, {"i", "k"}));
  EXPECT_FALSE(mentions(value, {"x", "it"}));  // a buffer is no value
  EXPECT_TRUE(has_load(value));
  EXPECT_FALSE(has_load(as<Let>(program.body[0])->value));
}

TEST(Names, SiblingsWithOneNameGetTheirOwn) {
  EXPECT_EQ(with_unique_names(parsed(R"(program p { buffer x: u32[4] write
      if true { let i = 1 x[i] = i }
      if true { let i = 2 x[i] = i } })")),
            parsed(R"(program p { buffer x: u32[4] write
      if true { let i = 1 x[i] = i }
      if true { let i_2 = 2 x[i_2] = i_2 } })"));
}

// The new name of the uniform is that of a local, which gets another at the same time.
TEST(Names, AProgramIsRenamedWithoutMixingUpWhatHasTheSameName) {
  const auto numbered = [](const std::string& name) { return name + "_2"; };
  const Program program =
      parsed(R"(program p { uniform n: u32 = 4 buffer x: u32[n] read_write grid n
      let n_2 = n + 1
      x[0] = x[1] + n_2 + n })");
  EXPECT_EQ(renamed(program, {.local = numbered, .buffer = numbered, .uniform = numbered}),
            parsed(R"(program p { uniform n_2: u32 = 4 buffer x_2: u32[n_2] read_write grid n_2
      let n_2_2 = n_2 + 1
      x_2[0] = x_2[1] + n_2_2 + n_2 })"));
}

}  // namespace
}  // namespace vyre::ir
