#include "store/index.h"

#include <bit>

namespace vyre::store {

Index::Index(const Entries& entries) : slots_(std::bit_ceil(2 * entries.size() + 1)) {
  for (const auto& [key, entry] : entries) {
    const std::size_t hash = DigestHash()(key);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].entry) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {hash, entry};
  }
}

const EntryPtr* Index::find(const Key& key) const {
  const std::size_t hash = DigestHash()(key);
  for (std::size_t at = hash & (slots_.size() - 1); slots_[at].entry;
       at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash == hash && slots_[at].entry->decision.key == key) return &slots_[at].entry;
  }
  return nullptr;
}

}  // namespace vyre::store
