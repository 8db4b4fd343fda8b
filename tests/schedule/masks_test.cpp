// What lanes do not take alike and all do under masks: accesses of memory, and loops.
#include "schedule/masks.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "schedule/vectorize.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

using testing::parsed;

// With vectors of every width, what the program leaves is the same; and nothing is out of bounds,
// raced for or read before it is written, which the interpreter reports.
void expect_same_values(std::string_view text) {
  const ir::Program program = parsed(text);
  for (const std::uint32_t width : {2U, 4U, 8U, 16U}) {
    const auto made = vectorized(program, width);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(left_by_interpreter(*made), left_by_interpreter(program)) << print(*made);
  }
}

void expect_in_pairs(std::string_view text, std::string_view expected) {
  const auto made = vectorized(parsed(text), 2);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(print(*made), print(parsed(expected)));
  expect_same_values(text);
}

bool has_masks(std::string_view text) {
  const auto made = vectorized(parsed(text), 4);
  EXPECT_TRUE(made) << made.error().message;
  return made && any_expr(*made, [](const ir::Expr& e) {
           const auto* any = ir::as<ir::Reduce>(e);
           return any != nullptr && any->op == ir::BinaryOp::bit_or;
         });
}

TEST(Masks, LoadOnceWhatIsTheSameForAllLanesWhereAnyIsOn) {
  expect_in_pairs(R"(program p {
    buffer x: f32[64] read
    buffer m: f32[9] read
    buffer y: f32[64] write
    grid 64
    let v = x[invocation.x]
    var s = 0.0
    for j in 0 .. 8 {
      if v * v < 0.5 { s = s + v * m[j] }
    }
    y[invocation.x] = s
  })",
                  R"(program p {
    buffer x: f32[64] read
    buffer m: f32[9] read
    buffer y: f32[64] write
    grid 32
    let first = invocation.x * 2
    let v = x[first : 2]
    var s = splat2(0.0)
    for j in 0 .. 8 {
      let mask = v * v < splat2(0.5)
      if any(mask) { s = select(mask, s + v * splat2(m[j]), s) }
    }
    y[first : 2] = s
  })");
}

TEST(Masks, KeepLanesThatAreOffInTheBoundsOfABufferThatNobodyWritesTo) {
  expect_in_pairs(R"(program p {
    buffer x: u32[64] read
    buffer t: u32[9] read
    buffer y: u32[64] write
    grid 64
    var v = x[invocation.x]
    if v % 12 < 9 { v = t[v % 12] * v + 1 }
    y[invocation.x] = v
  })",
                  R"(program p {
    buffer x: u32[64] read
    buffer t: u32[9] read
    buffer y: u32[64] write
    grid 32
    let first = invocation.x * 2
    var v = x[first : 2]
    let mask = v % splat2(12) < splat2(9)
    if any(mask) {
      let at = min(v % splat2(12), splat2(8))
      v = select(mask, [t[at.0], t[at.1]] * v + splat2(1), v)
    }
    y[first : 2] = v
  })");
}

TEST(Masks, LetLanesThatAreOffLoadWhatOneThatIsOnLoads) {
  expect_in_pairs(R"(program p {
    buffer x: u32[64] read
    buffer y: u32[128] read_write
    grid 64
    let i = invocation.x
    let v = x[i]
    if v % 3 == 1 { y[i * 2] = (y[i * 2] + v) * v - 7 * v }
  })",
                  R"(program p {
    buffer x: u32[64] read
    buffer y: u32[128] read_write
    grid 32
    let first = invocation.x * 2
    let i = first
    let v = x[i : 2]
    let mask = v % splat2(3) == splat2(1)
    if any(mask) {
      let at = splat2(i * 2) + [0, 2]
      let at_2 = select(mask, at, splat2(max(select(mask, at, splat2(0)))))
      let values = ([y[at_2.0], y[at_2.1]] + v) * v - splat2(7) * v
      if mask.0 { y[i * 2] = values.0 }
      if mask.1 { y[(i + 1) * 2] = values.1 }
    }
  })");
}

TEST(Masks, AccessNeighboursAsAVectorWhereAllOfThemMayBe) {
  expect_in_pairs(R"(program p {
    buffer x: u32[70] read
    buffer y: u32[64] read_write
    grid 64
    let i = invocation.x
    let v = x[i]
    if v % 3 == 1 { y[i] = (x[i + 6] ^ v * 3) * 5 }
  })",
                  R"(program p {
    buffer x: u32[70] read
    buffer y: u32[64] read_write
    grid 32
    let first = invocation.x * 2
    let i = first
    let v = x[i : 2]
    let mask = v % splat2(3) == splat2(1)
    if any(mask) {
      var x_values = splat2(0)
      if i + 6 <= 68 {
        x_values = x[i + 6 : 2]
      } else {
        let at = min(splat2(i + 6) + [0, 1], splat2(69))
        x_values = [x[at.0], x[at.1]]
      }
      let values = (x_values ^ v * splat2(3)) * splat2(5)
      if all(mask) {
        y[i : 2] = values
      } else {
        if mask.0 { y[i] = values.0 }
        if mask.1 { y[i + 1] = values.1 }
      }
    }
  })");
}

TEST(Masks, PickElementsOfRecordsOutOfVectorsWhereAllOfThoseMayBeLoaded) {
  const std::string_view text = R"(program p {
    buffer m: u32[64] read
    buffer x: u32[134] read
    buffer y: u32[64] write
    grid 64
    let i = invocation.x
    var s = 0
    if m[i] % 3 == 1 { s = (x[2 * i + 7] ^ i * 3) * 5 % 11 }
    y[i] = s
  })";
  expect_same_values(text);
  const auto made = vectorized(parsed(text), 4);
  ASSERT_TRUE(made);
  EXPECT_TRUE(any_expr(*made, [](const ir::Expr& e) {
    const auto* load = ir::as<ir::Load>(e);
    return load != nullptr && load->buffer == "x" && load->lanes == 4;
  })) << print(*made);
}

TEST(Masks, AddTheSumOfThoseThatAreOnToOneElement) {
  expect_in_pairs(R"(program p {
    buffer x: u32[64] read
    buffer n: u32[4] read_write
    grid 64
    let v = x[invocation.x]
    if v % 3 == 1 {
      atomic n[0] += v * 3
      atomic n[v / 3 % 4] += v
    }
  })",
                  R"(program p {
    buffer x: u32[64] read
    buffer n: u32[4] read_write
    grid 32
    let first = invocation.x * 2
    let v = x[first : 2]
    let mask = v % splat2(3) == splat2(1)
    if any(mask) {
      atomic n[0] += sum(select(mask, v * splat2(3), splat2(0)))
      let values = v
      if mask.0 { atomic n[v.0 / 3 % 4] += values.0 }
      if mask.1 { atomic n[v.1 / 3 % 4] += values.1 }
    }
  })");
}

TEST(Masks, CountInEachLaneOfALoopThatLanesRunDifferentlyFar) {
  expect_in_pairs(R"(program p {
    buffer start: u32[65] read
    buffer x: f32[200] read
    buffer y: f32[64] write
    grid 64
    let i = invocation.x
    var sum = 0.0
    for k in start[i] % 150 .. start[i + 1] % 200 step 2 { sum = sum + x[k] }
    y[i] = sum
  })",
                  R"(program p {
    buffer start: u32[65] read
    buffer x: f32[200] read
    buffer y: f32[64] write
    grid 32
    let first = invocation.x * 2
    let i = first
    var sum = splat2(0.0)
    var k = start[i : 2] % splat2(150)
    let k_end = start[i + 1 : 2] % splat2(200)
    var running = k < k_end
    while any(running) {
      let at = min(k, splat2(199))
      sum = select(running, sum + [x[at.0], x[at.1]], sum)
      k = k + splat2(2)
      running = running & (k < k_end)
    }
    y[i : 2] = sum
  })");
}

TEST(Masks, KeepALoopThatAllLanesRunAlike) {
  expect_in_pairs(R"(program p {
    uniform n: u32 = 3
    buffer x: f32[64] read
    buffer c: f32[3] read
    buffer y: f32[64] write
    grid 64
    var s = x[invocation.x]
    if s > 0.5 {
      for k in 0 .. n { s = s * s + c[k] }
    }
    y[invocation.x] = s
  })",
                  R"(program p {
    uniform n: u32 = 3
    buffer x: f32[64] read
    buffer c: f32[3] read
    buffer y: f32[64] write
    grid 32
    let first = invocation.x * 2
    var s = x[first : 2]
    let mask = s > splat2(0.5)
    if any(mask) {
      for k in 0 .. n { s = select(mask, s * s + splat2(c[k]), s) }
    }
    y[first : 2] = s
  })");
}

TEST(Masks, LoadNothingOnceAllLanesHaveLeft) {
  expect_in_pairs(R"(program p {
    buffer x: u32[64] read
    buffer t: u32[64] read
    buffer y: u32[64] write
    grid 64
    var v = x[invocation.x] % 64
    while t[v] % 5 != 0 {
      if v > 50 { break }
      v = (t[v] * 7 + v) % 64
    }
    y[invocation.x] = v
  })",
                  R"(program p {
    buffer x: u32[64] read
    buffer t: u32[64] read
    buffer y: u32[64] write
    grid 32
    let first = invocation.x * 2
    var v = x[first : 2] % splat2(64)
    var running = [t[v.0], t[v.1]] % splat2(5) != splat2(0)
    while any(running) {
      let mask = v > splat2(50)
      let mask_2 = running & mask
      running = running & !mask_2
      if any(running) {
        let at = min(v, splat2(63))
        v = select(running, ([t[at.0], t[at.1]] * splat2(7) + v) % splat2(64), v)
      }
      if any(running) {
        let at_2 = min(v, splat2(63))
        running = running & ([t[at_2.0], t[at_2.1]] % splat2(5) != splat2(0))
      }
    }
    y[first : 2] = v
  })");
}

TEST(Masks, ReadOfPrivateArraysOnlyWhatWasWritten) {
  expect_same_values(R"(program p {
    buffer x: u32[64] read
    buffer y: u32[64] write
    private own: u32[4]
    grid 64
    let i = invocation.x
    var v = x[i]
    if v % 3 != 0 {
      own[v % 4] = v * 5 + v / 7
      own[1] = own[v % 4] * 3 + v * 2
      v = (own[1] ^ v) * 3 + v / 5
    }
    y[i] = v
  })");
}

// Every other step leads beyond the greatest value, and the loop ends near it.
TEST(Masks, KeepInSmallPrivateArraysWhatLanesThatAreOffHad) {
  expect_in_pairs(R"(program p {
    buffer x: f32[64] read
    buffer y: f32[64] write
    private own: f32[2]
    grid 64
    let v = x[invocation.x]
    own[1] = v
    if v < 0.5 {
      own[0] = v * v * v * v + 1.0 - v * 0.5
      own[1] = own[0] * own[1] * v - own[0] * own[0]
    }
    y[invocation.x] = own[1]
  })",
                  R"(program p {
    buffer x: f32[64] read
    buffer y: f32[64] write
    private own: f32[4]
    grid 32
    let first = invocation.x * 2
    own[0 : 2] = splat2(0.0)
    own[2 : 2] = splat2(0.0)
    let v = x[first : 2]
    own[2 : 2] = v
    let mask = v < splat2(0.5)
    if any(mask) {
      let values = v * v * v * v + splat2(1.0) - v * splat2(0.5)
      own[0 : 2] = select(mask, values, own[0 : 2])
      let values_2 = own[0 : 2] * own[2 : 2] * v - own[0 : 2] * own[0 : 2]
      own[2 : 2] = select(mask, values_2, own[2 : 2])
    }
    y[first : 2] = own[2 : 2]
  })");
}

TEST(Masks, CountOnFromZeroAsALoopDoes) {
  expect_same_values(R"(program p {
    buffer x: u32[64] read
    buffer y: u32[64] write
    grid 64
    let i = invocation.x
    var s = 0
    for k in x[i] % 100 .. 3758096384 step 2415919104 + x[i] % 16 {
      s = s * 3 + k
      if k > 2415919104 { s = s + x[s % 64] * 5 + 1 }
    }
    y[i] = s
  })");
}

TEST(Masks, AreForLoopsInLoopsAndForIfsInThem) {
  constexpr std::string_view text = R"(program p {
    buffer x: u32[64] read
    buffer y: u32[64] write
    buffer n: u32[3] read_write
    grid 64
    let i = invocation.x
    var s = 0
    for k in x[i] % 3 .. x[i] % 7 {
      var v = x[k] + s
      while v > 3 {
        v = v / 2 - 1
        if v % 5 == x[k] % 5 { break }
        for j in 0 .. v % 4 { s = s * 3 + x[j + k] + j }
      }
      if s % 2 == 0 { atomic n[s % 3] += s * 3 + k * 5 } else { s = s + v * k }
    }
    y[i] = s
  })";
  EXPECT_TRUE(has_masks(text));
  expect_same_values(text);
}

TEST(Masks, AreNotForWhatIsMostlyAccesses) {
  EXPECT_FALSE(has_masks(R"(program p {
    buffer start: u32[65] read
    buffer column: u32[99] read
    buffer x: f32[99] read
    buffer y: f32[64] write
    grid 64
    var sum = 0.0
    for k in start[invocation.x] .. start[invocation.x + 1] { sum = sum + x[k] * x[column[k]] }
    y[invocation.x] = sum
  })"));
}

TEST(Masks, AreNotForLanesThatPartWaysByTheirPlace) {
  EXPECT_FALSE(has_masks(R"(program p {
    buffer x: f32[64] read
    buffer y: f32[64] write
    grid 64
    let i = invocation.x
    let inside = i > 0 & !(i >= 63)
    if inside { y[i] = (x[i - 1] + x[i] * 2.0 + x[i + 1]) * 0.25 } else { y[i] = x[i] }
  })"));
}

// But where these would load much, one after the other.
TEST(Masks, AreForBordersOfWideStencils) {
  const std::string_view text = R"(program p {
    buffer x: f32[380] read
    buffer y: f32[380] write
    grid 38, 10
    let i = invocation.x
    let at = invocation.y * 38 + i
    if i > 1 & i < 36 & invocation.y > 0 & invocation.y < 9 {
      var sum = 0.0
      for r in 0 .. 3 { for k in 0 .. 5 { sum = sum + x[at + r * 38 + k - 40] } }
      y[at] = sum
    } else { y[at] = x[at] }
  })";
  EXPECT_TRUE(has_masks(text));
  expect_same_values(text);
}

}  // namespace
}  // namespace vyre::schedule
