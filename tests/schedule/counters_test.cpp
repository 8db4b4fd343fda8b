// Counters that lanes share in loops that they leave at different times.
#include "schedule/counters.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "schedule/vectorize.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

// To the bit, and nothing is out of bounds, raced for or read before it is written, which the
// interpreter reports.
void expect_the_same(std::string_view text) {
  const ir::Program program = parsed(text);
  for (const std::uint32_t width : {2U, 4U, 8U, 16U}) {
    const auto made = vectorized(program, width);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(left_by_interpreter(*made), left_by_interpreter(program)) << print(*made);
  }
}

// How many vectors of memory are loaded: the neighbours of a search, if it has a counter.
std::size_t loaded_vectors(std::string_view text) {
  const auto made = vectorized(parsed(text), 4);
  EXPECT_TRUE(made) << made.error().message;
  std::size_t count = 0;
  for_each_expr(made->body, [&](const ir::Expr& e) {
    const auto* load = ir::as<ir::Load>(e);
    if (load != nullptr && load->lanes == 4) ++count;
  });
  return count;
}

TEST(Counters, GiveLanesThatLeaveASearchEarlyNeighboursAsLongAsTheyAreInIt) {
  constexpr std::string_view text = R"(program p {
    uniform m: u32 = 5
    buffer t: u32[68] read
    buffer p: u32[m] read
    buffer n: u32[1] read_write
    grid 64
    var k = 0
    while k < m {
      if t[invocation.x + k] % 2 != p[k] % 2 { break }
      k = k + 1
    }
    if k == m { atomic n[0] += 1 }
  })";
  const auto made = vectorized(parsed(text), 2);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(R"(program p {
    uniform m: u32 = 5
    buffer t: u32[68] read
    buffer p: u32[m] read
    buffer n: u32[1] read_write
    grid 32
    let first = invocation.x * 2
    var k_all = 0
    var k = splat2(k_all)
    var running = splat2(k_all < m)
    while any(running) {
      var t_values = splat2(0)
      if first + k_all <= 66 {
        t_values = t[first + k_all : 2]
      } else {
        let at = min(splat2(first + k_all) + [0, 1], splat2(67))
        t_values = [t[at.0], t[at.1]]
      }
      let mask = t_values % splat2(2) != splat2(p[k_all] % 2)
      let mask_2 = running & mask
      running = running & !mask_2
      k_all = k_all + 1
      k = select(running, splat2(k_all), k)
      running = running & splat2(k_all < m)
    }
    let mask_3 = k == splat2(m)
    if any(mask_3) { atomic n[0] += sum(select(mask_3, splat2(1), splat2(0))) }
  })")));
  expect_the_same(text);
}

// Counted before and after what may end the loop, twice in a turn, by what is loaded, from a value
// that wraps, through a name.
TEST(Counters, AreTheSameWhereverAndHoweverTheyCount) {
  for (const std::string_view text : {R"(program p {
    buffer t: u32[80] read
    buffer y: u32[64] write
    grid 64
    var k = 4294967294
    while t[invocation.x + k % 8] % 5 != 0 {
      k = k + 1
      if t[invocation.x + k % 8] % 3 == 0 | k == 6 { break }
      k = k + t[k % 8] % 2 + 1
      if k > 5 & k < 100 { break }
    }
    y[invocation.x] = k
  })",
                                      R"(program p {
    uniform from: u32 = 3
    buffer t: u32[80] read
    buffer y: u32[64] write
    grid 64
    var k = t[from] % 4
    var sum = 0
    while k < 12 {
      let at = invocation.x + k
      let next = k + 2
      if t[at] % 4 == 1 { break }
      sum = sum + t[at] * k
      k = next
    }
    y[invocation.x] = sum * 100 + k
  })"}) {
    EXPECT_GT(loaded_vectors(text), 0);
    expect_the_same(text);
  }
}

TEST(Counters, AreForLoopsInLoopsWhichBeginAgainEachTime) {
  constexpr std::string_view text = R"(program p {
    buffer t: u32[99] read
    buffer y: u32[64] write
    grid 64
    var sum = 0
    var row = 0
    var k = 0
    while row < 5 {
      if t[invocation.x + row] % 7 == 0 { break }
      k = row + 1
      while k < 9 {
        if t[invocation.x + k + row] % 4 == 0 { break }
        sum = sum + t[row + k] * 3
        k = k + 2
      }
      if k > 8 { sum = sum * 2 + row }
      row = row + 1
    }
    y[invocation.x] = sum + k * 1000 + row
  })";
  EXPECT_GE(loaded_vectors(text), 2);
  expect_the_same(text);
}

// Nobody knows then how far the others have counted: no lane has its elements beside another's.
TEST(Counters, AreNotForWhatLanesCountForThemselves) {
  for (const std::string_view change :
       {"if t[i + k] % 4 == 0 { k = k + 1 } k = k + 1", "k = k + t[i] % 2 + 1",
        "for j in 0 .. t[i] % 3 { k = k + 1 } k = k + 1", "k = k + 1 + t[i + k] % 2"}) {
    const std::string text = R"(program p {
      buffer t: u32[99] read
      buffer y: u32[64] read_write
      grid 64
      let i = invocation.x
      var k = 0
      while k < 6 {
        if t[i + k] % 5 == 1 { break }
        )" + std::string(change) +
                             R"( }
      y[i] = k + t[i]
    })";
    const auto made = vectorized(parsed(text), 4);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(print(*made).find("k_all"), std::string::npos) << print(*made);
    expect_the_same(text);
  }
}

TEST(Counters, BeginAgainForLanesThatGoOneAfterTheOther) {
  const std::string text = R"(program p {
    buffer x: u32[64] read
    buffer t: u32[64] read
    buffer y: u32[64] read_write
    grid 64
    var k = 1
    while k < 6 {
      if t[t[t[x[invocation.x] % 64] % 64] % 64] % 8 < k { break }
      y[invocation.x] = x[invocation.x] + t[t[t[k + x[invocation.x] % 32] % 64] % 64] + k
      k = k + 1
    }
    y[invocation.x] = y[invocation.x] + k
  })";
  const auto made = vectorized(parsed(text), 4);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_NE(print(*made).find("k_all = k_2"), std::string::npos) << print(*made);
  expect_the_same(text);
}

}  // namespace
}  // namespace vyre::schedule
