// Races found by a few marks per element, against the definition applied to every pair of accesses.
#include "interpret/shadow.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace vyre::interpret {
namespace {

struct Event {
  AccessKind kind = AccessKind::read;
  std::uint32_t who = 0;
  Epoch epoch;
};

// vyre/ir/program.h, beside Stmt.
bool is_race(const Event& a, const Event& b, bool shared) {
  const bool same_batch = a.epoch.batch == b.epoch.batch;
  if (shared && !same_batch) return false;  // not the same element
  if (same_batch && (a.who == b.who || a.epoch.now != b.epoch.now)) return false;
  if (a.kind == AccessKind::read && b.kind == AccessKind::read) return false;
  return !(a.kind == AccessKind::atomic && b.kind == AccessKind::atomic);
}

// A few batches with barriers, few invocations, all on one element.
std::vector<Event> random_events(std::mt19937& random, std::uint32_t write_every) {
  std::vector<Event> events;
  Epoch epoch;
  for (std::uint32_t batch = 0; batch < 3; ++batch) {
    epoch.batch = epoch.now + 1;
    for (std::uint32_t barrier = 0; barrier < 2; ++barrier) {
      ++epoch.now;
      for (std::uint32_t n = random() % 4; n > 0; --n) {
        const AccessKind kind = random() % write_every == 0 ? AccessKind::write
                                : random() % 2 == 0         ? AccessKind::read
                                                            : AccessKind::atomic;
        events.push_back({kind, static_cast<std::uint32_t>(random() % 3), epoch});
      }
    }
  }
  return events;
}

std::size_t first_race(const std::vector<Event>& events, bool shared) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (is_race(events[j], events[i], shared)) return i;
    }
  }
  return events.size();
}

std::size_t first_noted(const std::vector<Event>& events, bool shared) {
  const Use all = {.loads = true, .stores = true, .atomics = true};
  Shadow shadow(1, shared ? Shadow::Scope::batch : Shadow::Scope::all, all);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto& [kind, who, epoch] = events[i];
    if (shadow.note(kind, 0, who, epoch)) continue;
    EXPECT_TRUE(kind == AccessKind::write || shadow.conflict(kind, 0, who, epoch).kind != kind);
    return i;
  }
  return events.size();
}

TEST(Shadow, FindsARaceExactlyWhereTheDefinitionHasOne) {
  std::mt19937 random(7);
  std::size_t without = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto events = random_events(random, round % 2 == 0 ? 4 : 12);
    for (const bool shared : {false, true}) {
      const std::size_t expected = first_race(events, shared);
      ASSERT_EQ(first_noted(events, shared), expected) << "round " << round;
      if (expected == events.size()) ++without;
    }
  }
  EXPECT_GT(without, 1000U);  // both outcomes were tried
  EXPECT_LT(without, 39'000U);
}

TEST(Shadow, WhatIsWrittenCountsOnlyForItsBatch) {
  Shadow shadow(2, Shadow::Scope::batch, {.stores = true});
  EXPECT_FALSE(shadow.is_written(0, {1, 1}));
  EXPECT_TRUE(shadow.note(AccessKind::write, 0, 5, {1, 1}));
  EXPECT_TRUE(shadow.is_written(0, {1, 1}));
  EXPECT_TRUE(shadow.is_written(0, {2, 1}));  // after a barrier
  EXPECT_FALSE(shadow.is_written(1, {2, 1}));
  EXPECT_FALSE(shadow.is_written(0, {3, 3}));  // in the next group
}

}  // namespace
}  // namespace vyre::interpret
