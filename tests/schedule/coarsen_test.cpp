#include "schedule/coarsen.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

constexpr std::string_view row = R"(program row {
  uniform n: u32 = 100
  buffer y: u32[n] write
  grid n
  workgroup 64
  let i = invocation.x
  y[i] = grid.x - i
})";

void expect_coarsened(std::string_view text, Coarsening how, std::string_view expected) {
  const auto made = coarsened(parsed(text), how);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(expected)));
}

TEST(Coarsening, GivesAnInvocationNeighbouringItems) {
  expect_coarsened(row, {.items = 4}, R"(program row {
    uniform n: u32 = 100
    buffer y: u32[n] write
    grid (n + 3) / 4
    workgroup 64
    let first = invocation.x * 4
    for item in first .. min(first + 4, n) {
      let i = item
      y[i] = n - i
    }
  })");
}

TEST(Coarsening, GivesAnInvocationItemsThatAreAGridApart) {
  expect_coarsened(row, {.items = 4, .order = Order::strided}, R"(program row {
    uniform n: u32 = 100
    buffer y: u32[n] write
    grid (n + 3) / 4
    workgroup 64
    for round in 0 .. 4 {
      let item = round * grid.x + invocation.x
      if item < n {
        let i = item
        y[i] = n - i
      }
    }
  })");
}

TEST(Coarsening, NeedsNoGuardWhereTheItemsDivideTheGrid) {
  constexpr std::string_view plane = R"(program plane {
    buffer y: u32[128] write
    grid 8, 16
    y[invocation.y * 8 + invocation.x] = 1
  })";
  expect_coarsened(plane, {.dim = 1, .items = 4, .order = Order::strided}, R"(program plane {
    buffer y: u32[128] write
    grid 8, 4
    for round in 0 .. 4 {
      let item = round * grid.y + invocation.y
      y[item * 8 + invocation.x] = 1
    }
  })");
  expect_coarsened(plane, {.dim = 1, .items = 4}, R"(program plane {
    buffer y: u32[128] write
    grid 8, 4
    let first = invocation.y * 4
    for item in first .. first + 4 {
      y[item * 8 + invocation.x] = 1
    }
  })");
}

TEST(Coarsening, TakesNamesThatAreFree) {
  const auto made = coarsened(parsed(R"(program p {
    buffer item: u32[10] write
    grid 10
    let first = invocation.x
    item[first] = 1
  })"),
                              {.items = 3});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program p {
    buffer item: u32[10] write
    grid 4
    let first_2 = invocation.x * 3
    for item_2 in first_2 .. min(first_2 + 3, 10) {
      let first = item_2
      item[first] = 1
    }
  })")));
}

TEST(Coarsening, ByOneItemChangesNothing) {
  EXPECT_EQ(coarsened(parsed(row), {.items = 1}).value(), parsed(row));
}

TEST(Coarsening, RefusesInvocationsThatWorkTogether) {
  const auto made = coarsened(parsed("program p { grid 64 barrier }"), {.dim = 1, .items = 2});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "cannot give each invocation 2 items in y: in `barrier`, all of a workgroup wait here");
}

}  // namespace
}  // namespace vyre::schedule
