// Counters that lanes share in loops that they leave at different times.
#include "schedule/counters.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "schedule/coarsen.h"
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

// Vectors, and then neighbouring ones side by side.
ir::Program side_by_side(std::string_view text, std::uint32_t width, std::uint32_t items) {
  const auto vectors = vectorized(parsed(text), width);
  EXPECT_TRUE(vectors) << vectors.error().message;
  auto made = coarsened(*vectors, {.items = items, .order = Order::jammed});
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

// Whether two go on in a loop until the last one ends.
bool go_on_together(const ir::Program& program) {
  return any_stmt(program, [](const ir::Stmt& stmt) {
    const auto* loop = ir::as<ir::While>(stmt);
    const auto* either = loop == nullptr ? nullptr : ir::as<ir::Binary>(loop->cond);
    return either != nullptr && either->op == ir::BinaryOp::bit_or;
  });
}

// The last places are so near to the end that not all vectors of a turn are in the buffer.
TEST(Counters, AreSharedByVectorsSideBySideToo) {
  constexpr std::string_view text = R"(program p {
    uniform m: u32 = 5
    buffer t: u32[71] read
    buffer p: u32[m] read
    buffer n: u32[1] read_write
    buffer y: u32[67] write
    grid 67
    var k = 0
    while k < m {
      if t[invocation.x + k] % 2 != p[k] % 2 { break }
      k = k + 1
    }
    if k == m { atomic n[0] += 1 }
    y[invocation.x] = k
  })";
  for (const std::uint32_t width : {2U, 4U, 16U}) {
    for (const std::uint32_t items : {2U, 3U}) {
      const ir::Program made = side_by_side(text, width, items);
      EXPECT_TRUE(go_on_together(made)) << print(made);
      EXPECT_EQ(left_by_interpreter(made), left_by_interpreter(parsed(text))) << print(made);
    }
  }
}

TEST(Counters, AreSharedWhereLanesLeaveInSeveralPlaces) {
  constexpr std::string_view text = R"(program p {
    buffer t: u32[80] read
    buffer p: u32[7] read
    buffer y: u32[64] write
    grid 64
    let i = invocation.x
    var k = 0
    while k < 6 {
      if t[i + k] % 4 == p[k] % 4 { break }
      if t[i + k + 1] % 4 == p[k + 1] % 2 { break }
      k = k + 1
    }
    y[i] = k
  })";
  const ir::Program made = side_by_side(text, 4, 2);
  EXPECT_TRUE(go_on_together(made)) << print(made);
  EXPECT_EQ(left_by_interpreter(made), left_by_interpreter(parsed(text))) << print(made);
}

TEST(Counters, AreTakenAlongOnlyByThoseWhoHaveNotLeft) {
  expect_the_same(R"(program p {
    buffer t: u32[80] read
    buffer y: u32[64] read_write
    grid 64
    let i = invocation.x
    var k = 0
    var last = 99
    while k < 6 {
      if t[i + k] % 2 == 0 {
        if t[i + k] % 8 == 2 { break }
        if t[i + k + 1] % 8 == 4 { break }
        last = k
      }
      if t[i + k + 2] % 16 == 3 { break }
      if t[i + k + 3] % 16 == 5 { break }
      last = k
      k = k + 1
    }
    y[i] = k * 100 + last
  })");
}

TEST(Counters, LetVectorsGoOnTogetherAroundWhatIsOnlyDoneWhereALaneIsOn) {
  constexpr std::string_view text = R"(program p {
    buffer t: u32[99] read
    buffer y: u32[64] read_write
    grid 64
    let i = invocation.x
    var k = 0
    while k < 9 {
      if t[i + k] % 3 == 0 { y[i] = y[i] * 2 + t[i + k] * k - t[k] * 3 }
      k = k + 1
      if t[i + k] % 8 == 1 { break }
    }
    y[i] = y[i] + k
  })";
  const ir::Program made = side_by_side(text, 4, 2);
  EXPECT_TRUE(go_on_together(made)) << print(made);
  EXPECT_EQ(left_by_interpreter(made), left_by_interpreter(parsed(text))) << print(made);
}

// A loop of vectors of two lanes that begins so in each turn, and two of which stand side by side.
ir::Program pair_of_loops(std::string_view turn) {
  const std::string text = R"(program p {
    buffer x: u32[10] read
    buffer y: u32[10] read_write
    buffer z: u32[4] write
    grid 4
    let i = invocation.x
    var sum = splat2(0)
    var k = 0
    var on = splat2(k + i < 5)
    while any(on) {
      var v = 0
      )" + std::string(turn) +
                           R"(
      sum = select(on, splat2(v), sum)
      k = k + 1
      on = on & splat2(k + i * 2 < 5)
    }
    z[i] = sum.0
  })";
  auto made = coarsened(parsed(text), {.items = 2, .order = Order::jammed});
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

TEST(Counters, LetVectorsGoOnTogetherWhereWhatTheyLoadIsThere) {
  for (const std::string_view turn :
       {"v = x[k]", "let at = min(splat2(k + 8 * i), splat2(9)) v = x[at.1]",
        "if any(on) { v = y[k + i] }",
        "let some = on & splat2(k > i) if any(some) { v = x[k + i] y[i] = v }"}) {
    EXPECT_TRUE(go_on_together(pair_of_loops(turn))) << turn;
  }
}

TEST(Counters, LetVectorsGoOneAfterTheOtherWhereItMayNotBeThere) {
  for (const std::string_view turn :
       {"v = y[k]", "v = x[9 - 3 * i - k]", "if i < 2 { v = x[k] }",
        "let at = min(splat2(k + 8 * i), splat2(10)) v = x[at.0]",
        "let at = min(splat2(k + 8 * i), splat2(9)) v = y[at.0]",
        "var at = min(splat2(k + 8 * i), splat2(9)) at = splat2(k + 3 * i) v = x[at.0]",
        "k = k + i % 2 v = x[k]", "if any(on) { v = x[k] break }",
        "if any(on) { v = i } else { v = x[k + i] }"}) {
    EXPECT_FALSE(go_on_together(pair_of_loops(turn))) << turn;
  }
}

}  // namespace
}  // namespace vyre::schedule
