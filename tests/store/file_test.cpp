// One file on the disk: damage, limits, and what survives a save.
#include "store/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "store/samples.h"
#include "support/subprocess.h"

namespace vyre::store {
namespace {

using testing::decision;
using testing::TemporaryDirectory;

const Header header{.adapter = "opencl-a", .device = "A"};

std::string content_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Result<Saved> put(File& file, const Decision& made) {
  return file.update([&](const Entries&) { return Changes{.put = {*make_entry(made)}}; });
}

std::string text_of(std::initializer_list<std::uint32_t> numbers) {
  Document document{.header = header};
  for (const std::uint32_t n : numbers) {
    document.entries[decision(n).key] = *make_entry(decision(n));
  }
  return write(document);
}

TEST(File, ThatDoesNotExistIsEmpty) {
  const TemporaryDirectory dir;
  File file(dir.path() / "a.toml", header);
  EXPECT_TRUE(file.load());
  EXPECT_TRUE(file.entries().empty());
  EXPECT_TRUE(file.problems().empty());
}

TEST(File, IsReadUpToTheMostThatIsAskedFor) {
  const TemporaryDirectory dir;
  const std::filesystem::path path = dir.write("a.toml", "0123456789");
  const auto part = read_file(path, 4);
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ(part->text, "0123");
  EXPECT_TRUE(part->is_cut);
  const auto whole = read_file(path, 10);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->text, "0123456789");
  EXPECT_FALSE(whole->is_cut);
}

TEST(File, OfAPipeTooIsReadUpToTheMostThatIsAskedFor) {
  const TemporaryDirectory dir;
  const std::filesystem::path path = dir.path() / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  for (const std::size_t most : {4U, 10U, 11U}) {
    std::thread writer([&] { std::ofstream(path) << "0123456789"; });
    const auto read = read_file(path, most, Pipes::read);
    writer.join();
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->text, std::string("0123456789").substr(0, most));
    EXPECT_EQ(read->is_cut, most < 10);
  }
}

TEST(File, HasNothingElseInItsDirectoryAfterASaveButItsLock) {
  const TemporaryDirectory dir;
  File file(dir.path() / "a.toml", header);
  ASSERT_TRUE(put(file, decision(1)));
  ASSERT_TRUE(put(file, decision(2)));
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    names.insert(entry.path().filename());
  }
  EXPECT_EQ(names, (std::set<std::string>{"a.toml", "a.toml.lock"}));
}

TEST(File, BehindALinkIsReplacedWhereItIs) {
  const TemporaryDirectory dir;
  const TemporaryDirectory elsewhere;
  std::filesystem::create_symlink(elsewhere.path() / "b.toml", dir.path() / "a.toml");
  for (const std::uint32_t n : {1U, 2U}) {  // where nothing is yet, and where something is
    File file(dir.path() / "a.toml", header);
    ASSERT_TRUE(put(file, decision(n)));
    EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "a.toml"));
    EXPECT_EQ(dir.names(), (std::vector<std::string>{"a.toml"}));
  }
  File file(elsewhere.path() / "b.toml", header);
  ASSERT_TRUE(file.load());
  EXPECT_EQ(file.entries().size(), 2U);
}

TEST(File, BehindLinksThatGoRoundInACircleIsRefused) {
  const TemporaryDirectory dir;
  std::filesystem::create_symlink("b.toml", dir.path() / "a.toml");
  std::filesystem::create_symlink("a.toml", dir.path() / "b.toml");
  File file(dir.path() / "a.toml", header);
  EXPECT_FALSE(put(file, decision(1)));
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "a.toml"));
}

TEST(File, AndWhatIsMadeWithItAreForTheirOwnerOnly) {
  const TemporaryDirectory dir;
  const auto path = dir.path() / "new" / "store" / "a.toml";
  const mode_t mask = umask(0);
  File file(path, header);
  EXPECT_TRUE(put(file, decision(1)));
  umask(mask);
  using std::filesystem::perms;
  const auto mode = [](const auto& of) { return std::filesystem::status(of).permissions(); };
  EXPECT_EQ(mode(path), perms::owner_read | perms::owner_write);
  EXPECT_EQ(mode(path.string() + ".lock"), perms::owner_read | perms::owner_write);
  EXPECT_EQ(mode(path.parent_path()), perms::owner_all);
  EXPECT_EQ(mode(path.parent_path().parent_path()), perms::owner_all);
}

TEST(File, ThatIsDamagedIsSetAsideWhenItIsReplaced) {
  const TemporaryDirectory dir;
  const std::string damaged = text_of({1, 2}) + "\n[\"v1-\n\x01 garbage";
  const std::filesystem::path path = dir.write("a.toml", damaged);
  File file(path, header);
  ASSERT_TRUE(file.load());
  EXPECT_EQ(file.entries().size(), 2U);
  ASSERT_EQ(file.problems().size(), 1U);
  EXPECT_EQ(content_of(path), damaged);  // reading changes nothing

  const auto saved = put(file, decision(3));
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->set_aside, path.string() + ".damaged-1");
  EXPECT_EQ(notes(*saved).size(), 1U);
  EXPECT_EQ(content_of(saved->set_aside), damaged);
  File again(path, header);
  ASSERT_TRUE(again.load());
  EXPECT_TRUE(again.problems().empty());
  EXPECT_EQ(again.entries().size(), 3U);
}

TEST(File, ThatIsDamagedAgainGetsAnotherName) {
  const TemporaryDirectory dir;
  for (int i = 1; i <= 3; ++i) {
    const std::filesystem::path path = dir.write("a.toml", "garbage");
    File file(path, header);
    EXPECT_EQ(put(file, decision(1))->set_aside, fmt::format("{}.damaged-{}", path.string(), i));
  }
}

TEST(File, OfGarbageIsNeverTakenForEmptyAndOverwritten) {
  const TemporaryDirectory dir;
  const std::filesystem::path path = dir.write("a.toml", "{\"json\": true}");
  File file(path, header);
  const auto saved = put(file, decision(1));
  ASSERT_TRUE(saved);
  EXPECT_EQ(content_of(saved->set_aside), "{\"json\": true}");
}

TEST(File, DamagedBehindItsBackLosesNothingThatIsInMemory) {
  const TemporaryDirectory dir;
  File file(dir.path() / "a.toml", header);
  ASSERT_TRUE(put(file, decision(1)));
  ASSERT_TRUE(put(file, decision(2)));
  static_cast<void>(dir.write("a.toml", "x"));
  ASSERT_TRUE(put(file, decision(3)));
  File again(file.path(), header);
  ASSERT_TRUE(again.load());
  EXPECT_EQ(again.entries().size(), 3U);
}

TEST(File, DeletedOrPrunedByOthersStaysSo) {
  const TemporaryDirectory dir;
  File file(dir.path() / "a.toml", header);
  ASSERT_TRUE(put(file, decision(1)));
  File other(file.path(), header);
  ASSERT_TRUE(other.update(
      [](const Entries& entries) { return Changes{.removed = {entries.begin()->first}}; }));
  ASSERT_TRUE(put(file, decision(2)));
  EXPECT_EQ(file.entries().size(), 1U);
  std::filesystem::remove(file.path());
  ASSERT_TRUE(put(file, decision(3)));
  EXPECT_EQ(file.entries().size(), 1U);
}

TEST(File, WithNothingToChangeIsNotWritten) {
  const TemporaryDirectory dir;
  File file(dir.path() / "a.toml", header);
  ASSERT_TRUE(file.update([](const Entries&) { return Changes{}; }));
  EXPECT_FALSE(std::filesystem::exists(file.path()));
}

TEST(File, WithAnEntryInAFormThatIsNotReadKeepsItInTheFileThatIsSetAside) {
  const TemporaryDirectory dir;
  std::string text = text_of({1, 2});
  text.replace(text.find("\"natural\""), 9, "\"\"\"natural\"\"\"");
  const std::filesystem::path path = dir.write("a.toml", text);
  File file(path, header);
  ASSERT_TRUE(file.load());
  EXPECT_EQ(file.entries().size(), 1U);
  EXPECT_EQ(file.problems().size(), 1U);
  const auto saved = put(file, decision(3));
  ASSERT_TRUE(saved);
  EXPECT_EQ(content_of(saved->set_aside), text);
}

TEST(File, KeepsTheFieldsOfANewerVersion) {
  const TemporaryDirectory dir;
  std::string text = text_of({1});
  const std::string entry = text.substr(text.find('['), text.rfind("check") - text.find('['));
  text = "future = 1\n[v2-x]\na = 1\n\n" + entry + "energy = [1, 2]\n";
  File file(dir.write("a.toml", text), header);
  ASSERT_TRUE(put(file, decision(2)));
  const std::string saved = content_of(file.path());
  for (const char* part : {"future = 1\n", "[v2-x]\na = 1\n", "energy = [1, 2]\n"}) {
    EXPECT_NE(saved.find(part), std::string::npos) << saved;
  }
  EXPECT_EQ(file.entries().size(), 2U);
}

// Entries of about 10 KiB, so that there are few.
Decision large(std::uint32_t n) {
  Decision made = decision(n);
  for (int i = 0; i < 10; ++i) {
    made.evidence->configuration.push_back({fmt::format("p{}", i), std::string(1'000, 'x')});
  }
  return made;
}

TEST(File, SaysHowManyDecisionsWereDropped) {
  EXPECT_EQ(notes({}), std::vector<std::string>{});
  EXPECT_EQ(notes({.dropped = 1}),
            std::vector<std::string>{"the decision file is full: the oldest decision was dropped"});
  EXPECT_EQ(
      notes({.dropped = 2}),
      std::vector<std::string>{"the decision file is full: the 2 oldest decisions were dropped"});
}

TEST(File, OverFourMebibytesDropsTheOldestAndSaysHowMany) {
  const TemporaryDirectory dir;
  Document document{.header = header};
  for (std::uint32_t n = 1; n <= 600; ++n) {
    document.entries[large(n).key] = *make_entry(large(n));
  }
  document.entries[{blake2b("short")}] = *make_entry({.key = {blake2b("short")}});
  File file(dir.write("a.toml", write(document)), header);
  ASSERT_TRUE(file.load());
  EXPECT_EQ(file.entries().size(), 601U);

  const auto saved = put(file, large(0));  // older than all others, but new here
  ASSERT_TRUE(saved);
  EXPECT_GT(saved->dropped, 100U);
  EXPECT_EQ(notes(*saved).size(), 1U);
  const auto size = std::filesystem::file_size(file.path());
  EXPECT_LE(size, max_file_bytes);
  EXPECT_GT(size, max_file_bytes - 12'000);

  File again(file.path(), header);
  ASSERT_TRUE(again.load());
  EXPECT_EQ(again.entries().size(), 602 - saved->dropped);
  EXPECT_TRUE(again.entries().contains(large(0).key));
  for (std::uint32_t n = 1; n <= 600; ++n) {
    EXPECT_EQ(again.entries().contains(large(n).key), n >= saved->dropped) << n;
  }
}

// 5 MiB that only a newer version knows how to shorten.
std::string full_of_unknown_tables() {
  std::string text;
  for (int i = 0; i < 5 * 1024; ++i) {
    text += fmt::format("[v2-{}]\na = \"{}\"\n", i, std::string(1'000, 'x'));
  }
  return text;
}

TEST(File, ThatCannotTakeANewEntrySaysSoAndStaysAsItIs) {
  const TemporaryDirectory dir;
  const std::string text = text_of({1}) + full_of_unknown_tables();
  File file(dir.write("a.toml", text), header);
  const auto saved = put(file, decision(2));
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().kind, ErrorKind::limit);
  EXPECT_NE(saved.error().message.find("no room"), std::string::npos) << saved.error().message;
  EXPECT_EQ(content_of(file.path()), text);
  EXPECT_TRUE(file.entries().contains(decision(1).key));
}

TEST(File, FarTooLargeIsReadInPartAndSetAside) {
  const TemporaryDirectory dir;
  File file(dir.write("a.toml", text_of({1}) + std::string(20'000'000, '\n')), header);
  ASSERT_TRUE(file.load());
  EXPECT_EQ(file.entries().size(), 1U);
  EXPECT_EQ(file.problems().size(), 1U);
}

}  // namespace
}  // namespace vyre::store
