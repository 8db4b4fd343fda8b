// Random schedules of small programs.
#pragma once

#include <array>
#include <string>

#include "support/random_source.h"
#include "vyre/schedule/schedule.h"

namespace vyre::testing {

inline schedule::Schedule random_schedule(RandomSource& random) {
  constexpr std::array<std::uint32_t, 5> extents = {1, 2, 3, 4, 8};
  constexpr std::array<std::uint32_t, 6> items = {1, 1, 1, 2, 3, 4};
  schedule::Schedule made;
  for (const std::string axis : {"x", "y", "z"}) {
    made.set("wg_" + axis, random.pick(extents));
    made.set("items_" + axis, random.pick(items));
  }
  made.set("order", random.below(3));
  constexpr std::array<std::uint32_t, 5> unrolls = {1, 1, 2, 3, 4};
  made.set("unroll", random.pick(unrolls));
  constexpr std::array<std::uint32_t, 7> vectors = {1, 1, 1, 2, 4, 8, 16};
  made.set("vector", random.pick(vectors));
  if (random.one_in(6)) made.set("loop_vector", random.one_in(2) ? 2U : 4U);
  made.set("loop_parts", 1 + random.below(3));
  if (random.one_in(8)) made.set("interchange", 2 + random.below(3));
  if (random.one_in(16)) made.set("phases", 2 + random.below(3));
  made.set("inside", random.one_in(12) ? 1 : 0);
  made.set("gather", random.one_in(4) ? 1 : 0);
  if (random.one_in(24)) made.set("private", 1 + random.below(2));
  made.set("private_groups", 1 + random.below(5));
  if (random.one_in(48)) made.set("group_turns", 2 + random.below(3));
  if (random.one_in(48)) made.set("halo", 1);
  if (random.one_in(48)) made.set("tree", 1);
  if (random.one_in(24)) {
    made.set("fission", 1);
    made.set("items_x_2", random.pick(items));
    made.set("order_2", random.below(3));
    made.set("unroll_2", random.pick(unrolls));
    made.set("vector_2", random.pick(vectors));
  }
  if (random.one_in(24)) made.set("sum_groups", 2 + random.below(4));
  if (random.one_in(24)) made.set("nontemporal", 1);
  if (random.one_in(48)) made.set("sweep_groups", 2 + random.below(3));
  if (random.one_in(24)) made.set("scatter_groups", 2 + random.below(5));
  if (random.one_in(16)) made.set("registers", 1);
  if (random.one_in(8)) made.set("no_nans", 1);
  return made;
}

}  // namespace vyre::testing
