// Reading and writing the text of a file: forms, problems and what is kept.
#include "store/document.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/samples.h"

namespace vyre::store {
namespace {

using testing::decision;

std::string text_of(std::uint32_t n) { return (*make_entry(decision(n)))->text; }

Document document_of(std::initializer_list<Decision> decisions) {
  Document document{.header = {.adapter = "opencl-a", .device = "A"}};
  for (const Decision& each : decisions) document.entries[each.key] = *make_entry(each);
  return document;
}

// Of a document with one decision.
const Decision& only(const Document& document) {
  return document.entries.begin()->second->decision;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

// As if it were written by hand.
std::string unchecked(std::uint32_t n) {
  const std::string text = text_of(n);
  return text.substr(0, text.rfind("\ncheck"));
}

TEST(Document, ReadsWhatItWrites) {
  Document document = document_of({{.key = {blake2b("short")}, .workgroup = {4, 8, 2}}});
  for (std::uint32_t n = 0; n < 20; ++n) {
    document.entries[decision(n).key] = *make_entry(decision(n));
  }
  const Document again = read(write(document));
  EXPECT_TRUE(again.problems.empty());
  EXPECT_EQ(again.header, document.header);
  ASSERT_EQ(again.entries.size(), 21U);
  for (const auto& [key, entry] : document.entries) {
    ASSERT_TRUE(again.entries.contains(key));
    EXPECT_EQ(again.entries.at(key)->decision, entry->decision);
  }
  EXPECT_EQ(write(again), write(document));
}

TEST(Document, KeepsEveryValueThatAConfigurationCanHave) {
  Decision d = decision(1);
  d.evidence->program_name = "\"q\" \\ \n\t\x7f caf\xc3\xa9";
  d.evidence->dispatch.groups.reset();
  d.evidence->baseline.reset();
  d.evidence->configuration = {
      {"least", std::numeric_limits<std::int64_t>::min()},
      {"most", std::numeric_limits<std::int64_t>::max()},
      {"minus", std::int64_t{-7}},
      {"tiny", 5e-324},
      {"large", -1.7976931348623157e308},
      {"two", 2.0},
      {"third", 1.0 / 3},
      {"no", false},
      {"a name with = and \"", std::string("\xf0\x9f\x9a\x80 \x01")},
      {"", std::string()},
  };
  d.evidence->configuration.pop_back();
  d = decide(d.workgroup, *d.evidence);
  const Document again = read((*make_entry(d))->text);
  EXPECT_TRUE(again.problems.empty());
  ASSERT_EQ(again.entries.size(), 1U);
  EXPECT_EQ(only(again), d);
}

TEST(Document, TextThatIsNotUtf8IsWrittenSoThatItIs) {
  Decision d = decision(1);
  d.evidence->driver = "a\xff\xc3(b";
  const Document again = read((*make_entry(d))->text);
  ASSERT_EQ(again.entries.size(), 1U);
  EXPECT_EQ(only(again).evidence->driver, "a\xef\xbf\xbd\xef\xbf\xbd(b");
}

TEST(Document, ReadsTheShortFormAsAWorkgroupSize) {
  const std::string key = to_string(decision(3).key);
  for (const std::string& text : {"\"" + key + "\" = [4, 64, 1]\n", key + "=[4,64,1]",
                                  "'" + key + "' = [\n  4, 64,\n  1\n]"}) {
    const Document document = read(text);
    ASSERT_EQ(document.entries.size(), 1U) << text;
    EXPECT_EQ(only(document).workgroup, (Size{4, 64, 1}));
    EXPECT_FALSE(only(document).evidence);
    EXPECT_EQ(read(write(document)).entries.size(), 1U);
  }
}

TEST(Document, ReadsTheFullFormAsOthersLayItOut) {
  const std::string text = text_of(1);
  std::string windows;
  for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
  const std::string subtable =
      replaced(text,
               "configuration = { tile = 16, scale = 0.5, unroll = true, layout = \"rows\" }\n",
               "") +
      "\n[\"" + to_string(decision(1).key) +
      "\".configuration]\ntile = 16\nscale = 0.5\nunroll = true\nlayout = 'rows'\n";
  for (const std::string& other :
       {windows, replaced(text, "samples = 31", "samples = +3_1  # many"), subtable,
        "\xef\xbb\xbf" + text, replaced(text, "default_ns = 2500.0", "default_ns = 25e2"),
        replaced(text, "[\"" + to_string(decision(1).key) + "\"]",
                 "[" + to_string(decision(1).key) + "]"),
        replaced(text, "T00:00:01Z", "T01:00:01+01:00")}) {
    const Document document = read(other);
    EXPECT_TRUE(document.problems.empty()) << other << to_string(document.problems[0]);
    ASSERT_EQ(document.entries.size(), 1U) << other;
    EXPECT_EQ(only(document), decision(1)) << other;
  }
}

TEST(Document, TakesWhatIsNotSaidOfTheDefaultForCertain) {
  std::string text = text_of(1);
  for (const char* line : {"default_low_ns = 2400.0\n", "default_high_ns = 2600.5\n",
                           "speedup = 2.5\n", "speedup_low = 2.25\n", "speedup_high = 2.75\n"}) {
    text = replaced(text, line, "");
  }
  text.erase(text.find("check = "));
  const Document document = read(text);
  ASSERT_EQ(document.entries.size(), 1U);
  const double ratio = 2500 / decision(1).evidence->elapsed.value;
  EXPECT_EQ(only(document).evidence->baseline,
            (Baseline{{2500, {2500, 2500}}, {ratio, {ratio, ratio}}}));
}

TEST(Document, SkipsABadEntryWithItsLineAndKeepsTheOthers) {
  const std::string good = text_of(1);
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"workgroup = [3, 2, 1]", "workgroup = [3, 2]"},
      {"workgroup = [3, 2, 1]", "workgroup = [3, 0, 1]"},
      {"workgroup = [3, 2, 1]", "workgroup = [3, -2, 1]"},
      {"workgroup = [3, 2, 1]", "workgroup = [3, 2, 5000000000]"},
      {"workgroup = [3, 2, 1]", "workgroup = [65536, 65536, 1]"},
      {"workgroup = [3, 2, 1]", "workgroup = \"64\""},
      {"workgroup = [3, 2, 1]", "workgroup = [3, 2.5, 1]"},
      {"elapsed_ns = 1002.25", "elapsed_ns = nan"},
      {"elapsed_ns = 1002.25", "elapsed_ns = -1.0"},
      {"elapsed_high_ns = 1102.5", "elapsed_high_ns = inf"},
      {"samples = 31", "samples = 0"},
      {"samples = 31\n", ""},
      {"date = 2026", "date = 2026-13-01T00:00:00Z # 2026"},
      {"T00:00:02Z", ""},
      {"output_bytes = 768", "output_bytes = 769"},
      {"declared = [64, 1, 1]", "declared = [64, 1, 2]"},
      {"tile = 16", "tile = [16]"},
      {"tile = 16", "tile = nan"},
      {"elapsed_ns = 1002.25", "elapsed_ns = 1002.26"},
  };
  for (const auto& [what, with] : wrong) {
    const std::string bad = replaced(text_of(2), what, with);
    const Document document = read(good + "\n\n" + bad + "\n\n" + text_of(3) + "\n");
    ASSERT_EQ(document.problems.size(), 1U) << with;
    const auto first = std::uint32_t(std::ranges::count(good, '\n')) + 3;
    EXPECT_GE(document.problems[0].place.line, first) << with;
    EXPECT_LE(document.problems[0].place.line, first + 24) << with;
    ASSERT_EQ(document.entries.size(), 2U) << with;
    EXPECT_EQ(document.entries.at(decision(1).key)->decision, decision(1));
    EXPECT_EQ(document.entries.at(decision(3).key)->decision, decision(3));
  }
}

TEST(Document, SkipsABadShortForm) {
  const std::string good = "\"" + to_string(decision(1).key) + "\" = [8, 8, 1]\n";
  const std::string key = to_string(decision(2).key);
  for (const char* value : {"[8, 8]", "[8, 8, 1, 1]", "[0, 8, 1]", "[-8, 8, 1]", "[99999999, 8, 1]",
                            "[4294967297, 1, 1]", "8", "true", "[8.0, 8, 1]", "[8, 8, 1", "[[]]"}) {
    const Document document = read(good + "\"" + key + "\" = " + value + "\n" + text_of(3));
    ASSERT_EQ(document.problems.size(), 1U) << value;
    EXPECT_EQ(document.problems[0].place.line, 2U) << value;
    EXPECT_EQ(document.entries.size(), 2U) << value;
  }
  EXPECT_EQ(read("\"v1-12\" = [8, 8, 1]").problems.size(), 1U);
}

TEST(Document, SaysInWhichLineAndColumnItCannotBeRead) {
  EXPECT_EQ(read("a = 1\nb = ?\n").problems.at(0).place, (Place{2, 5}));
  EXPECT_EQ(read("?").problems.at(0).place, (Place{1, 1}));
}

TEST(Document, AHandMadeChangeIsTakenOnceTheChecksumIsRemoved) {
  const Document changed = read(replaced(text_of(1), "[2, 2, 1]", "[7, 7, 1]"));
  ASSERT_EQ(changed.problems.size(), 1U);
  EXPECT_NE(changed.problems[0].message.find("remove the line 'check'"), std::string::npos);
  const Document taken = read(replaced(unchecked(1), "[2, 2, 1]", "[7, 7, 1]"));
  ASSERT_EQ(taken.entries.size(), 1U);
  EXPECT_EQ(only(taken).workgroup, (Size{7, 7, 1}));
}

TEST(Document, KeepsWhatANewerVersionWroteWordForWord) {
  const std::string field = "epoch = { a = [1, 2], b = 1979-05-27 }";
  const std::string table = "[v2-abc]\nfuture = [[1], [2]]";
  std::string entry = replaced(unchecked(1), "samples", "energy_j = 0.25 # new\nsamples") + "\n";
  entry += "check = \"" + checksum(entry) + "\"";
  const Document document = read(field + "\n" + table + "\n" + entry + "\n");
  EXPECT_TRUE(document.problems.empty());
  ASSERT_EQ(document.entries.size(), 1U);
  const std::string text = write(document);
  for (const std::string& part : {field, table, entry}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_EQ(write(read(text)), text);
}

TEST(Document, ADecisionInAnotherLegalFormIsReadAndStaysAsItIsLaidOut) {
  std::string text = unchecked(1);
  text = replaced(text, "configuration = { tile = 16, scale = 0.5,",
                  "# by hand\nconfiguration.tile = 16\nconfiguration.scale = 0.5 # half\n");
  text = replaced(text, " unroll = true, layout = \"rows\" }",
                  "configuration.unroll = true\nconfiguration.layout = 'rows'");
  const Document document = read(text);
  EXPECT_TRUE(document.problems.empty()) << to_string(document.problems[0]);
  ASSERT_EQ(document.entries.size(), 1U);
  EXPECT_EQ(only(document), decision(1));
  EXPECT_NE(write(document).find(text), std::string::npos);
}

TEST(Document, KeepsTheFeaturesOfAProgram) {
  Decision d = decision(1);
  d.evidence->features = "f1 3.5 0 1 2";
  const std::string text = (*make_entry(d))->text;
  EXPECT_NE(text.find("\nfeatures = \"f1 3.5 0 1 2\"\n"), std::string::npos) << text;
  EXPECT_EQ(only(read(text)), d);
}

TEST(Document, OfAKeyThatIsThereTwiceTheBetterOneIsUsed) {
  Decision more = decision(1);
  more.evidence->samples = 1000;
  for (const bool better_first : {true, false}) {
    const std::string good = (*make_entry(more))->text;
    const std::string text = better_first ? good + "\n\n" + text_of(1) : text_of(1) + "\n\n" + good;
    const Document document = read(text + "\n");
    EXPECT_EQ(document.problems.size(), 1U);
    ASSERT_EQ(document.entries.size(), 1U);
    EXPECT_EQ(only(document).evidence->samples, 1000U);
  }
}

TEST(Document, GarbageIsReportedInBoundedTimeAndSize) {
  std::string lines;
  for (int i = 0; i < 200'000; ++i) lines += "x=\n";
  for (const std::string& garbage :
       {lines, std::string(1'000'000, '['), std::string(1'000'000, '\0'),
        std::string(1'000'000, '"'), "a=" + std::string(15'000, '['), std::string(8'000, '.'),
        std::string("[.a]"), std::string("[=]\n[ .\"b\"]"), "a" + std::string("\n[b]")}) {
    const Document document = read(garbage + "\n" + text_of(1));
    EXPECT_FALSE(document.problems.empty());
    EXPECT_LE(document.problems.size(), 101U);
    EXPECT_EQ(document.entries.size(), 1U);
  }
}

TEST(Document, LettersBeyondAsciiStandInQuotesAndCommentsOnly) {
  for (const char* letter : {"\xef\xb9\xbf", "\xc2\xa0", "\xe2\x80\x83", "\xff"}) {
    EXPECT_EQ(read(fmt::format("a = {} 1\n", letter)).problems.size(), 1U);
    EXPECT_EQ(read(fmt::format("a = \"\"\"\\{}\"\"\"\n", letter)).problems.size(), 1U);
  }
  EXPECT_TRUE(read("a = \"caf\xc3\xa9\" # caf\xc3\xa9\nb = '\xef\xb9\xbf\\'\n").problems.empty());
}

TEST(Document, ADecisionThatIsTooLargeForAFileIsRefused) {
  Decision d = decision(1);
  for (int i = 0; i < 100; ++i) {
    d.evidence->configuration.push_back({fmt::format("p{}", i), std::string(1'000, 'x')});
  }
  EXPECT_FALSE(make_entry(d));
  d.workgroup = {0, 1, 1};
  EXPECT_FALSE(make_entry(d));
}

}  // namespace
}  // namespace vyre::store
