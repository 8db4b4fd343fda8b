// Finds an entry by its key with two reads of far memory: of a slot here, and of the entry itself.
// (std::unordered_map takes four.) Made anew after a change, which writes a file anyway.
#pragma once

#include <vector>

#include "store/document.h"

namespace vyre::store {

class Index {
 public:
  explicit Index(const Entries& entries);

  // Null if there is none.
  [[nodiscard]] const EntryPtr* find(const Key& key) const;

 private:
  // A slot whose entry is null ends a search.
  struct Slot {
    std::size_t hash = 0;
    EntryPtr entry;
  };

  std::vector<Slot> slots_;  // a power of two of them, at least half of them empty
};

}  // namespace vyre::store
