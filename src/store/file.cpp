#include "store/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace vyre::store {
namespace {

constexpr std::chrono::seconds lock_limit(30);
// A file that others let grow is still read, so that the oldest can be dropped.
constexpr std::size_t most_read = 4 * max_file_bytes;

// With the line ends around it.
std::size_t size_in_file(const EntryPtr& entry) {
  return entry->text.size() + (entry->is_table() ? 2 : 1);
}

// Those without a date come first.
std::chrono::sys_seconds age(const EntryPtr& entry) {
  const auto& evidence = entry->decision.evidence;
  return evidence ? evidence->date : std::chrono::sys_seconds::min();
}

Failure no_room(std::size_t other_bytes) {
  return fail(ErrorKind::limit,
              fmt::format("the decision file has no room: it may have {} bytes, and {} of it are "
                          "what this version of vyre does not know. Move it away to start anew",
                          max_file_bytes, other_bytes));
}

// Drops the oldest until the file is small enough, those that were just put there last. What a
// newer vyre wrote stays, and may leave no room for one of them.
Result<std::size_t> drop_oldest(Document& document, std::size_t bytes, const Changes& changes) {
  std::size_t other_bytes = bytes;
  std::vector<EntryPtr> order;
  for (const auto& [key, entry] : document.entries) {
    order.push_back(entry);
    other_bytes -= size_in_file(entry);
  }
  const std::set<EntryPtr> fresh(changes.put.begin(), changes.put.end());
  for (const EntryPtr& entry : fresh) {
    if (other_bytes + size_in_file(entry) > max_file_bytes) return no_room(other_bytes);
  }
  std::ranges::sort(order, {}, [&](const EntryPtr& entry) {
    return std::tuple(fresh.contains(entry), age(entry), entry->decision.key);
  });
  std::size_t dropped = 0;
  for (; dropped < order.size() && bytes > max_file_bytes; ++dropped) {
    bytes -= size_in_file(order[dropped]);
    document.entries.erase(order[dropped]->decision.key);
  }
  return dropped;
}

}  // namespace

// The generation is known only under the lock; 0 is that of no file.
Result<void> File::refresh(std::uint64_t generation, Pipes pipes) {
  if (generation != 0 && version_ == Version{stamp_of(path_), generation}) return {};
  auto content = read_file(path_, most_read, pipes);
  if (!content) return Unexpected(content.error());
  Document document = read(content->text, document_.entries);
  if (content->is_cut) {
    document.problems.push_back(
        {ErrorKind::input, fmt::format("only the first {} bytes are read", most_read)});
  }
  // A damaged file does not say that what is missing was removed.
  if (!document.problems.empty()) document.entries.merge(document_.entries);
  document_ = std::move(document);
  version_ = {content->stamp, generation};
  return {};
}

Result<Saved> File::update(const std::function<Changes(const Entries&)>& change) {
  if (auto made = make_directory(path_.parent_path()); !made) return Unexpected(made.error());
  // Whoever uses the file by another name waits for the same lock.
  const auto target = follow_links(path_);
  if (!target) return Unexpected(target.error());
  auto lock = Lock::take(*target, lock_limit);
  if (!lock) return Unexpected(lock.error());
  if (auto read = refresh(lock->generation()); !read) return Unexpected(read.error());
  const Changes changes = change(entries());
  if (changes.put.empty() && changes.removed.empty()) return Saved{};
  return save(changes, *target, *lock);
}

Result<Saved> File::save(const Changes& changes, const std::filesystem::path& target, Lock& lock) {
  Document document = document_;
  document.header = header_;
  if (header_.device.empty()) document.header.device = document_.header.device;
  document.problems.clear();
  for (const Key& key : changes.removed) document.entries.erase(key);
  for (const EntryPtr& entry : changes.put) {
    document.entries.insert_or_assign(entry->decision.key, entry);
  }
  Saved saved;
  std::string text = write(document);
  if (text.size() > max_file_bytes) {
    const auto dropped = drop_oldest(document, text.size(), changes);
    if (!dropped) return Unexpected(dropped.error());
    saved.dropped = *dropped;
    text = write(document);
  }
  const auto generation = lock.advance();
  if (!generation) return Unexpected(generation.error());
  if (!problems().empty()) {
    auto aside = store::set_aside(target);
    if (!aside) return Unexpected(aside.error());
    saved.set_aside = *std::move(aside);
  }
  const auto stamp = replace_file(target, text);
  if (!stamp) {
    if (!saved.set_aside.empty()) take_back(saved.set_aside, target);
    return Unexpected(stamp.error());
  }
  document_ = std::move(document);
  version_ = {*stamp, *generation};
  return saved;
}

}  // namespace vyre::store
