// While loops and breaks: their text, facts, ranges and how they are built.
#include <gtest/gtest.h>

#include "ir/facts.h"
#include "ir/range.h"
#include "ir/visit.h"
#include "support/programs.h"
#include "vyre/ir/build.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::parsed;

constexpr std::string_view collatz = R"(program collatz {
  buffer x: u32[64] read_write
  grid 64
  workgroup 64

  var v = x[invocation.x]
  var steps = 0
  while v != 1 {
    if steps == 1000 {
      break
    }
    v = select(v % 2 == 0, v / 2, v * 3 + 1)
    steps = steps + 1
  }
  x[invocation.x] = steps
}
)";

TEST(While, IsPrintedAsItWasWritten) {
  EXPECT_EQ(print(parsed(collatz)), collatz);
  const Program program = parsed(collatz);
  EXPECT_EQ(print_head(program.body[2]), "while v != 1 { ... }");
}

TEST(While, IsMadeByABuilderToo) {
  Builder k("collatz");
  const BufferRef x = k.read_write("x", Scalar::u32, 64U);
  k.grid(64U);
  const Variable v = k.var("v", x[invocation(0)]);
  const Variable steps = k.var("steps", 0U);
  k.loop_while([&] { return v != 1; },
               [&] {
                 k.when(steps == 1000, [&] { k.leave_loop(); });
                 v = select(v % 2 == 0, v / 2, v * 3 + 1);
                 ++steps;
               });
  x[invocation(0)] = steps;
  EXPECT_EQ(print(k.finish().value()), collatz);
}

TEST(While, HasAFingerprintOfItsOwn) {
  std::string other(collatz);
  other.replace(other.find("v != 1"), 6, "v != 2");
  EXPECT_NE(fingerprint(parsed(other)), fingerprint(parsed(collatz)));
  std::string without(collatz);
  without.replace(without.find("break"), 5, "v = 1");
  EXPECT_NE(fingerprint(parsed(without)), fingerprint(parsed(collatz)));
}

TEST(While, CountsOnceInFactsThatAreNotExact) {
  const Facts f = facts(parsed(collatz)).value();
  EXPECT_EQ(f.loops, 1U);
  EXPECT_EQ(f.divergent, 2U);
  EXPECT_FALSE(f.exact);
  EXPECT_EQ(f.loads, 64U);
}

TEST(While, IsLeftOnlyByItsOwnBreaks) {
  EXPECT_TRUE(has_break(as<While>(parsed(collatz).body[2])->body));
  EXPECT_FALSE(has_break(parsed(collatz).body));
}

// What is known of v after these statements, which all begin with v = 0.
Interval after(std::string_view statements) {
  const Program program =
      parsed("program p { uniform n: u32 = 8 grid n var v = 0 " + std::string(statements) + " }");
  Ranges ranges;
  ranges.pass(program.body);
  return ranges.of(Var{"v", {Scalar::u32}});
}

TEST(While, LeavesARangeThatHoldsAfterAnyNumberOfIterations) {
  EXPECT_EQ(after("while n > 3 { v = 7 }"), (Interval{0, 7}));
  EXPECT_EQ(after("while v < 10 { v = v + 2 }"), (Interval{0, 11}));
  EXPECT_EQ(after("while n > 3 { v = v + 2 }"), (Interval{0, 0xffffffff}));
}

TEST(While, LeavesNoRangeOfWhatIsAssignedBeforeABreak) {
  EXPECT_TRUE(after("while n > 3 { v = 100 if n > 5 { break } v = 0 }").contains(100));
}

}  // namespace
}  // namespace vyre::ir
