#include "store/index.h"

#include <gtest/gtest.h>

#include <cstring>

namespace vyre::store {
namespace {

// A key whose hash is `hash`; `rest` makes it another key.
Key key(std::size_t hash, std::uint8_t rest) {
  Key made;
  std::memcpy(made.digest.data(), &hash, sizeof hash);
  made.digest.back() = std::byte{rest};
  return made;
}

Entries entries(const std::vector<Key>& keys) {
  Entries made;
  for (const Key& each : keys) made.emplace(each, entry_of({.key = each}, ""));
  return made;
}

TEST(Index, FindsKeysThatShareTheirHash) {
  // All ones: the last slot, whatever the size, so that the search goes on at the first.
  const std::vector<Key> keys = {key(~std::size_t{0}, 1), key(~std::size_t{0}, 2), key(0, 3)};
  const Index index(entries(keys));
  for (const Key& each : keys) {
    const EntryPtr* found = index.find(each);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ((*found)->decision.key, each);
  }
  EXPECT_EQ(index.find(key(~std::size_t{0}, 9)), nullptr);
  EXPECT_EQ(index.find(key(0, 9)), nullptr);
}

TEST(Index, OfNothingFindsNothing) { EXPECT_EQ(Index(Entries()).find(key(5, 0)), nullptr); }

}  // namespace
}  // namespace vyre::store
