#include "store/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_set>

#include "store/disk.h"

namespace vyre::store {
namespace {

constexpr std::chrono::seconds lock_limit(30);
// A file that others let grow is still read, so that the oldest can be dropped.
constexpr std::size_t most_read = 4 * max_file_bytes;

std::size_t size_in_file(const Entry& entry) { return entry.text.size() + 2; }

// Those without a date come first.
std::chrono::sys_seconds age(const Entry& entry) {
  return entry.decision.evidence ? entry.decision.evidence->date : std::chrono::sys_seconds::min();
}

std::unexpected<Error> no_room(std::size_t other_bytes) {
  return fail(ErrorKind::limit,
              fmt::format("the decision file has no room: it may have {} bytes, and {} of it are "
                          "what this version of vyre does not know. Move it away to start anew",
                          max_file_bytes, other_bytes));
}

// Drops the oldest until the file is small enough, those that were just put there last. What a
// newer vyre wrote stays, and may leave no room for one of them.
Result<std::size_t> drop_oldest(Entries& entries, std::size_t other_bytes, const Changes& changes) {
  std::size_t bytes = other_bytes;
  for (const auto& [key, entry] : entries) bytes += size_in_file(*entry);
  if (bytes <= max_file_bytes) return 0;
  std::size_t largest = 0;
  std::unordered_set<Key, DigestHash> fresh;
  for (const EntryPtr& entry : changes.put) {
    fresh.insert(entry->decision.key);
    largest = std::max(largest, size_in_file(*entry));
  }
  if (other_bytes + largest > max_file_bytes) return no_room(other_bytes);
  std::vector<EntryPtr> order;
  for (const auto& [key, entry] : entries) order.push_back(entry);
  std::ranges::sort(order, {}, [&](const EntryPtr& entry) {
    return std::tuple(fresh.contains(entry->decision.key), age(*entry), entry->decision.key.digest);
  });
  std::size_t dropped = 0;
  for (; dropped < order.size() && bytes > max_file_bytes; ++dropped) {
    bytes -= size_in_file(*order[dropped]);
    entries.erase(order[dropped]->decision.key);
  }
  return dropped;
}

std::vector<EntryPtr> in_order(const Entries& entries) {
  std::vector<EntryPtr> order;
  order.reserve(entries.size());
  for (const auto& [key, entry] : entries) order.push_back(entry);
  std::ranges::sort(order, {}, [](const EntryPtr& entry) { return entry->decision.key.digest; });
  return order;
}

}  // namespace

struct File::Version {
  std::optional<Stamp> stamp;
  std::uint64_t generation = 0;

  bool operator==(const Version&) const = default;
};

File::File(std::filesystem::path path, Header header)
    : path_(std::move(path)), header_(header), document_{.header = std::move(header)} {}
File::~File() = default;
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;

Result<void> File::load() { return refresh(0); }

// The generation is known only under the lock; 0 is that of no file.
Result<void> File::refresh(std::uint64_t generation) {
  if (generation != 0 && version_ && *version_ == Version{stamp_of(path_), generation}) return {};
  auto content = read_file(path_, most_read);
  if (!content) return std::unexpected(content.error());
  Document document = read(content->text, entries_);
  if (content->is_cut) {
    document.problems.push_back(
        {ErrorKind::input, fmt::format("only the first {} bytes are read", most_read)});
  }
  take(std::move(document));
  version_ = std::make_unique<Version>(content->stamp, generation);
  return {};
}

// A damaged file does not say that what is missing was removed.
void File::take(Document document) {
  if (document.problems.empty()) entries_.clear();
  entries_.reserve(document.entries.size());
  for (EntryPtr& entry : document.entries) keep(std::move(entry));
  document.entries.clear();
  document_ = std::move(document);
}

void File::keep(EntryPtr entry) {
  const Key key = entry->decision.key;
  entries_.insert_or_assign(key, std::move(entry));
}

Result<Saved> File::update(const std::function<Changes(const Entries&)>& change) {
  if (auto made = make_directory(path_.parent_path()); !made) return std::unexpected(made.error());
  auto lock = Lock::take(path_, lock_limit);
  if (!lock) return std::unexpected(lock.error());
  if (auto read = refresh(lock->generation()); !read) return std::unexpected(read.error());
  const Changes changes = change(entries_);
  if (changes.put.empty() && changes.removed.empty()) return Saved{};
  return save(changes, *lock);
}

Result<Saved> File::save(const Changes& changes, Lock& lock) {
  Entries entries = entries_;
  for (const Key& key : changes.removed) entries.erase(key);
  for (const EntryPtr& entry : changes.put) entries.insert_or_assign(entry->decision.key, entry);

  Document document = document_;
  document.header = header_;
  if (header_.device.empty()) document.header.device = document_.header.device;
  Saved saved;
  const auto dropped = drop_oldest(entries, write(document).size(), changes);
  if (!dropped) return std::unexpected(dropped.error());
  saved.dropped = *dropped;
  document.entries = in_order(entries);
  const auto generation = lock.advance();
  if (!generation) return std::unexpected(generation.error());
  if (!document.problems.empty()) {
    auto aside = store::set_aside(path_);
    if (!aside) return std::unexpected(aside.error());
    saved.set_aside = *std::move(aside);
  }
  const auto stamp = replace_file(path_, write(document));
  if (!stamp) {
    if (!saved.set_aside.empty()) take_back(saved.set_aside, path_);
    return std::unexpected(stamp.error());
  }
  document.problems.clear();
  document.entries.clear();
  document_ = std::move(document);
  entries_ = std::move(entries);
  version_ = std::make_unique<Version>(*stamp, *generation);
  return saved;
}

}  // namespace vyre::store
