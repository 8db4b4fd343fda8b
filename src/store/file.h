// The decisions of one adapter, in memory and in its file.
//
// A file is replaced as a whole, so that readers need no lock. Writers take turns: whoever has the
// lock reads what others wrote meanwhile, puts its changes on top, and saves. A file in which
// something is wrong is set aside before it is replaced. Where its name is a link, all of that
// happens where the link leads to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "store/disk.h"
#include "store/document.h"
#include "vyre/base/error.h"
#include "vyre/store/store.h"

namespace vyre::store {

struct Changes {
  std::vector<EntryPtr> put;  // in place of those with their keys
  std::vector<Key> removed;
};

class File {
 public:
  // `header` is written into the file; where it names no device, the file's own name for it stays.
  // Nothing is read yet.
  File(std::filesystem::path path, const Header& header)
      : path_(std::move(path)), header_(header), document_{.header = header} {}

  // Reads what is there; a file that does not exist is empty. A failure leaves it as it was.
  Result<void> load(Pipes pipes = Pipes::refused) { return refresh(0, pipes); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const Header& header() const { return document_.header; }
  [[nodiscard]] const Entries& entries() const { return document_.entries; }
  [[nodiscard]] const Document& document() const { return document_; }
  // What was wrong with it when it was last read.
  [[nodiscard]] const Problems& problems() const { return document_.problems; }

  // Saves what `change` makes of the entries on the disk, while other writers wait. When this
  // returns without an error, the changes are durable. With one, they are not made in memory.
  Result<Saved> update(const std::function<Changes(const Entries&)>& change);

  // In memory only.
  void keep(const EntryPtr& entry) {
    document_.entries.insert_or_assign(entry->decision.key, entry);
  }

 private:
  // Of the file that the entries are from.
  struct Version {
    std::optional<Stamp> stamp;
    std::uint64_t generation = 0;

    bool operator==(const Version&) const = default;
  };

  Result<void> refresh(std::uint64_t generation, Pipes pipes = Pipes::refused);
  Result<Saved> save(const Changes& changes, const std::filesystem::path& target, Lock& lock);

  std::filesystem::path path_;
  Header header_;
  Document document_;
  std::optional<Version> version_;
};

}  // namespace vyre::store
