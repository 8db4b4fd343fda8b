// What is read of TOML, and where reading stops.
#include "store/toml.h"

#include <gtest/gtest.h>

#include <vector>

namespace vyre::store::toml {
namespace {

const Value* field_a(const Piece& piece) { return piece.root.find("a"); }

TEST(Toml, ReadsTextsWithTheirEscapes) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {R"(a = "")", ""},
      {R"(a = "x # y")", "x # y"},
      {R"(a = "\"\\\t\u00e9")", "\"\\\t\xc3\xa9"},
      {R"(a = 'c:\new "x"')", "c:\\new \"x\""},
      {"a = \"tab\there\"", "tab\there"},
  };
  for (const auto& [text, meant] : texts) {
    const Piece piece = parse(text);
    ASSERT_FALSE(piece.fault) << text << ": " << piece.fault->message;
    EXPECT_EQ(field_a(piece)->text, meant) << text;
    EXPECT_EQ(piece.end, text.size());
  }
}

TEST(Toml, ReadsNumbersAndDates) {
  const std::string text = "a = [+1_000, -7, 2.5e3, 3, 1979-05-27T07:32:00-01:30]";
  const Piece piece = parse(text);
  ASSERT_FALSE(piece.fault);
  std::vector<const Value*> items;
  for (const Value* item = field_a(piece)->first; item != nullptr; item = item->next) {
    items.push_back(item);
  }
  ASSERT_EQ(items.size(), 5U);
  EXPECT_EQ(integer(*items[0]), 1'000);
  EXPECT_EQ(integer(*items[1]), -7);
  EXPECT_EQ(real(*items[2]), 2'500);
  EXPECT_FALSE(integer(*items[2]));
  EXPECT_EQ(real(*items[3]), 3);
  ASSERT_TRUE(date(*items[4]));
  EXPECT_EQ(date(*items[4])->time_since_epoch().count(), 296'643'720);
}

TEST(Toml, OneTableMayBeWrittenInThreeWays) {
  for (const char* text : {"a = { b = { c = 1 }, d = 2 }", "[a]\nb.c = 1\nd = 2",
                           "a.d = 2\n[ 'a' . \"b\" ] # inner\nc = 1"}) {
    const Piece piece = parse(text);
    ASSERT_FALSE(piece.fault) << text;
    ASSERT_EQ(piece.root.size, 1U) << text;
    EXPECT_EQ(integer(*field_a(piece)->find("b")->find("c")), 1) << text;
    EXPECT_EQ(integer(*field_a(piece)->find("d")), 2) << text;
  }
}

TEST(Toml, KeepsWhatStandsBeforeAFaultAndSaysWhereThatIs) {
  const std::string before = "[a]\nb = 1";
  for (const char* damage : {" c = 2", "\nb = 2", "\nc", "\nc = ", "\nc = \"x", "\nc = [1, ",
                             "\nc = {d = 1", "\nc = x", "\n[d", "\nc = \"\xff\"", "\n\x01"}) {
    const std::string text = before + damage;
    const Piece piece = parse(text);
    ASSERT_TRUE(piece.fault) << damage;
    EXPECT_GE(piece.fault->at, before.size()) << damage;
    EXPECT_EQ(piece.end, before.size()) << damage;
    EXPECT_EQ(field_a(piece)->size, 1U) << damage;
  }
}

TEST(Toml, WhatItDoesNotReadIsAFault) {
  for (const char* text : {"a = \"\"\"x\"\"\"", "a = '''x'''", "[[a]]\nb = 1"}) {
    EXPECT_TRUE(parse(text).fault) << text;
  }
}

TEST(Toml, IsBoundedInDepthAndFields) {
  EXPECT_TRUE(parse("a = " + std::string(1'000, '[') + std::string(1'000, ']')).fault);
  std::string path = "a";
  for (int i = 0; i < 1'000; ++i) path += ".a";
  EXPECT_TRUE(parse(path + " = 1").fault);
  std::string fields;
  for (int i = 0; i < 600; ++i) fields += "f" + std::to_string(i) + " = 1\n";
  EXPECT_TRUE(parse(fields).fault);
}

}  // namespace
}  // namespace vyre::store::toml
