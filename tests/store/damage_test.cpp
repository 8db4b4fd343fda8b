// Every prefix and every changed byte of a file: it is read without a crash, what stands before the
// damage is kept, and the file is set aside before it is replaced.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "store/entry.h"
#include "store/file.h"
#include "store/samples.h"
#include "store/stress.h"

namespace vyre::store {
namespace {

using testing::decision;

TEST(Checksum, IsTheCrcOfItsTextInEightDigits) {
  EXPECT_EQ(checksum("123456789"), "cbf43926");
  EXPECT_EQ(checksum(""), "00000000");
}

struct Sample {
  std::string text;
  std::vector<std::pair<Decision, std::size_t>> ends;  // where each decision is complete
};

// Two decisions in the short form, three in the full form, one of them written by hand.
Sample sample() {
  Document document{.header = {.adapter = "opencl-a", .device = "A"}};
  const auto add = [&](const Decision& made) { document.entries[made.key] = *make_entry(made); };
  for (const char* name : {"one", "two"}) {
    add({.key = {blake2b(name)}, .workgroup = {16, 4, 2}});
  }
  for (const std::uint32_t n : {1U, 2U, 3U}) add(decision(n));
  EntryPtr& by_hand = document.entries[decision(2).key];
  const std::string unchecked = by_hand->text.substr(0, by_hand->text.rfind("\ncheck"));
  by_hand = std::make_shared<const Entry>(decision(2), unchecked);
  Sample made{.text = write(document), .ends = {}};
  for (const auto& [key, entry] : document.entries) {
    made.ends.emplace_back(entry->decision, made.text.find(entry->text) + entry->text.size());
  }
  return made;
}

bool has(const Document& document, const Decision& wanted) {
  const auto found = document.entries.find(wanted.key);
  return found != document.entries.end() && found->second->decision == wanted;
}

// All decisions that are complete before `damage`, and no wrong ones in the full form.
void expect_kept(const Sample& sample, const Document& document, std::size_t damage) {
  for (const auto& [wanted, end] : sample.ends) {
    if (end <= damage) {
      EXPECT_TRUE(has(document, wanted)) << "damage at " << damage << ", entry to " << end;
    }
  }
  for (const auto& [key, entry] : document.entries) EXPECT_TRUE(validate(entry->decision));
}

TEST(Damage, EveryPrefixKeepsTheDecisionsThatAreComplete) {
  const Sample whole = sample();
  for (std::size_t length = 0; length <= whole.text.size(); ++length) {
    const Document document = read(std::string_view(whole.text).substr(0, length));
    expect_kept(whole, document, length);
    const auto complete = static_cast<std::size_t>(std::ranges::count_if(
        whole.ends, [&](const auto& entry) { return entry.second <= length; }));
    // One that was cut after its last field but one line before its checksum counts as well.
    EXPECT_LE(document.entries.size(), complete + 1);
    for (const auto& [key, entry] : document.entries) {
      EXPECT_TRUE(std::ranges::any_of(
          whole.ends,
          [&, &made = entry->decision](const auto& known) { return known.first == made; }))
          << "a prefix of " << length << " bytes has a decision that nobody made";
    }
  }
}

TEST(Damage, EveryChangedByteKeepsTheDecisionsBeforeIt) {
  const Sample whole = sample();
  for (std::size_t at = 0; at < whole.text.size(); ++at) {
    for (const int byte : {whole.text[at] ^ 1, whole.text[at] ^ 0x10, whole.text[at] ^ 0x80, 0,
                           int{'"'}, int{'['}, int{']'}, int{'\n'}, int{'#'}, int{' '}, int{'9'}}) {
      std::string damaged = whole.text;
      damaged[at] = static_cast<char>(byte);
      if (damaged[at] == whole.text[at]) continue;
      const Document document = read(damaged);
      expect_kept(whole, document, at);
      EXPECT_GE(document.entries.size(), whole.ends.size() - 2);  // nor much of what is behind it
    }
  }
}

// A wrong byte in a checked decision is not believed, whatever it makes of the numbers.
TEST(Damage, NoChangedByteMakesAnotherDecision) {
  const std::string text = (*make_entry(decision(1)))->text;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (char byte = '0'; byte <= '9'; ++byte) {
      std::string damaged = text;
      damaged[at] = byte;
      const Document document = read(damaged);
      for (const auto& [key, entry] : document.entries) {
        EXPECT_EQ(entry->decision, decision(1)) << at << " became " << byte;
      }
    }
  }
}

TEST(Damage, IsSetAsideAndWhatIsWrittenInsteadIsWell) {
  const Sample whole = sample();
  const testing::QuickDirectory dir;
  const std::filesystem::path path = dir.path() / "a.toml";
  for (std::size_t at = 3; at < whole.text.size(); at += 17) {
    std::string damaged = whole.text;
    damaged[at] = '\0';
    std::ofstream(path) << damaged;
    File file(path, {.adapter = "opencl-a", .device = "A"});
    const auto saved =
        file.update([](const Entries&) { return Changes{.put = {*make_entry(decision(9))}}; });
    ASSERT_TRUE(saved);
    const bool in_comment = at < whole.text.find('\n');
    EXPECT_EQ(saved->set_aside.empty(), in_comment) << at;
    if (!in_comment) {
      EXPECT_EQ(std::filesystem::file_size(saved->set_aside), damaged.size());
      std::filesystem::remove(saved->set_aside);
    }
    File again(path, {});
    ASSERT_TRUE(again.load());
    EXPECT_TRUE(again.problems().empty()) << at;
    EXPECT_EQ(again.entries().size(), file.entries().size());
  }
}

}  // namespace
}  // namespace vyre::store
