// Where an invocation stands: ids in three dimensions, ragged grids, any workgroup.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::after;
using Counts = std::vector<std::uint32_t>;

constexpr std::uint32_t gx = 5, gy = 3, gz = 2;  // the grid
constexpr std::uint32_t wx = 2, wy = 2, wz = 1;  // the workgroup: ragged in x and y

// One value per invocation of the grid above. A shared buffer makes whole groups run together; it
// must not change anything.
Counts per_invocation(std::string_view expr, bool with_shared) {
  const std::string text = fmt::format(
      "program p {{ buffer out: u32[{}] write  {}  grid {}, {}, {}  workgroup {}, {}, {}\n"
      "out[(invocation.z * grid.y + invocation.y) * grid.x + invocation.x] = {} }}",
      gx * gy * gz, with_shared ? "shared s: u32[4]" : "", gx, gy, gz, wx, wy, wz, expr);
  return after<std::uint32_t>(text, "out");
}

template <class Expected>
void expect_everywhere(std::string_view expr, Expected expected) {
  for (const bool with_shared : {false, true}) {
    const Counts got = per_invocation(expr, with_shared);
    std::size_t at = 0;
    for (std::uint32_t z = 0; z < gz; ++z) {
      for (std::uint32_t y = 0; y < gy; ++y) {
        for (std::uint32_t x = 0; x < gx; ++x, ++at) {
          EXPECT_EQ(got[at], expected(x, y, z)) << expr << " at " << x << ' ' << y << ' ' << z;
        }
      }
    }
  }
}

TEST(Ids, EveryKindInEveryDimension) {
  using u32 = std::uint32_t;
  expect_everywhere("invocation.x", [](u32 x, u32, u32) { return x; });
  expect_everywhere("invocation.y", [](u32, u32 y, u32) { return y; });
  expect_everywhere("invocation.z", [](u32, u32, u32 z) { return z; });
  expect_everywhere("local.x", [](u32 x, u32, u32) { return x % wx; });
  expect_everywhere("local.y", [](u32, u32 y, u32) { return y % wy; });
  expect_everywhere("local.z + 7", [](u32, u32, u32) { return 7U; });
  expect_everywhere("group.x", [](u32 x, u32, u32) { return x / wx; });
  expect_everywhere("group.y", [](u32, u32 y, u32) { return y / wy; });
  expect_everywhere("group.z", [](u32, u32, u32 z) { return z; });
  expect_everywhere("[workgroup.x, workgroup.y].0 * 10 + workgroup.z",
                    [](u32, u32, u32) { return wx * 10 + wz; });
  expect_everywhere("groups.x * 100 + groups.y * 10 + groups.z",
                    [](u32, u32, u32) { return 322U; });
  expect_everywhere("grid.x * 100 + grid.y * 10 + grid.z", [](u32, u32, u32) { return 532U; });
}

TEST(Ids, ARaggedGridRunsItsInvocationsAndNoMore) {
  for (const char* shared : {"", "shared s: u32[1]"}) {
    const std::string text = fmt::format(
        "program p {{ buffer n: u32[1] read_write  {}  grid 1001, 3  workgroup 64, 2\n"
        "atomic n[0] += 1 }}",
        shared);
    EXPECT_EQ(after<std::uint32_t>(text, "n"), (Counts{3003}));
  }
}

TEST(Ids, TheWorkgroupCannotBeSeenWithoutMeetingInIt) {
  Counts first;
  for (const char* workgroup : {"1", "64", "7, 3", "1, 1, 5", "2147483648"}) {
    const std::string text = fmt::format(
        "program p {{ buffer out: u32[2310] write  grid 33, 14, 5  workgroup {}\n"
        "let i = (invocation.z * 14 + invocation.y) * 33 + invocation.x\n"
        "var h = i\n"
        "for k in 0 .. i % 9 {{ h = (h ^ k) * 16777619 }}\n"
        "out[i] = h }}",
        workgroup);
    const Counts got = after<std::uint32_t>(text, "out");
    if (first.empty()) first = got;
    EXPECT_EQ(got, first) << workgroup;
  }
}

}  // namespace
}  // namespace vyre::interpret
