// The step that gives small arrays, to which many invocations add by atomics, private copies: of a
// workgroup, or of each of its invocations.
//
// A copy is in shared memory. The group sets it to zero, waits, does its items with adds to the
// copy, waits, and adds what is not zero to the array, by an atomic for each element. So that this
// happens a few times only, few groups walk over the whole grid (see schedule/group_walk.h). Sums
// of u32 and i32 wrap, so they are the same in any grouping; to floats only programs with
// `reassociate` add by atomics.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

extern const Step privatise_step;

inline constexpr std::string_view private_name = "private";
inline constexpr std::string_view private_groups_name = "private_groups";

// Who has a copy.
enum class Copies : std::uint8_t {
  none,
  group,       // one for all invocations of a workgroup, who add to it by atomics
  invocation,  // each its own, with plain additions: for a CPU, and for the smallest arrays
};
inline constexpr std::array<std::string_view, 3> copies_words = {"none", "group", "invocation"};

struct Privatising {
  Copies copies = Copies::group;
  Extent workgroup = {64, 1, 1};
  std::uint32_t groups = 16;  // at most
};

// Copies of every array that private_arrays finds. Legal where invocations are independent of each
// other: see with_workgroup. An index out of bounds is an error before and after; what emitted code
// makes of it may differ.
[[nodiscard]] Result<ir::Program> privatised(const ir::Program& program, const Privatising& how);

}  // namespace vyre::schedule
