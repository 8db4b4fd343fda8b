// A value of a built program is what was there when it was made.
#include "ir/capture.h"

#include <gtest/gtest.h>

#include <optional>

#include "support/programs.h"
#include "vyre/ir/build.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

// A builder with buffers x (read only), y, z (f32, read_write), u (u32, read_write) and t (f32,
// shared) of 64 elements, and i, the invocation.
struct Kernel {
  Builder k{"kernel"};
  BufferRef x = k.read("x", Scalar::f32, 64);
  BufferRef y = k.read_write("y", Scalar::f32, 64);
  BufferRef z = k.read_write("z", Scalar::f32, 64);
  BufferRef u = k.read_write("u", Scalar::u32, 64);
  BufferRef t = k.shared("t", Scalar::f32, 64);
  Value i = invocation(0);

  Kernel() {
    k.grid(64);
    k.workgroup(64);
  }
};

void expect_body(const Kernel& kernel, std::string_view body) {
  const auto built = kernel.k.finish();
  ASSERT_TRUE(built) << testing::listed(built.error());
  const Program expected = testing::parsed(R"(program kernel {
    buffer x: f32[64] read
    buffer y: f32[64] read_write
    buffer z: f32[64] read_write
    buffer u: u32[64] read_write
    shared t: f32[64]
    grid 64
    workgroup 64
)" + std::string(body) + "}");
  EXPECT_EQ(*built, expected) << print(*built);
}

TEST(Capture, AValueReadBeforeAStoreIsWhatWasThereBefore) {
  Kernel c;
  const Value old = c.y[c.i];
  c.y[c.i] = 1;
  c.z[c.i] = old;
  expect_body(c, R"(
    let old_y = y[invocation.x]
    y[invocation.x] = 1.0
    z[invocation.x] = old_y)");
}

TEST(Capture, AValueReadBeforeAnAssignmentIsWhatTheVariableWas) {
  Kernel c;
  const Variable v = c.k.var("v", 0.0F);
  const Value old = v;
  v = v + 1;
  c.z[c.i] = old + v;
  expect_body(c, R"(
    var v = 0.0
    let old_v = v
    v = v + 1.0
    z[invocation.x] = old_v + v)");
}

TEST(Capture, NothingIsAddedWhereNothingChangesInBetween) {
  Kernel c;
  const Value from_x = c.x[c.i];
  const Value from_y = c.y[c.i];
  c.k.barrier();
  c.z[c.i] = from_x;
  c.z[c.i] += from_x;
  const Variable v = c.k.var("v", 0.0F);
  v = v + v;
  c.k.loop("j", 0U, 4, [&](const Value&) { v += from_x; });
  expect_body(c, R"(
    barrier
    z[invocation.x] = x[invocation.x]
    z[invocation.x] = z[invocation.x] + x[invocation.x]
    var v = 0.0
    v = v + v
    for j in 0 .. 4 { v = v + x[invocation.x] })");
  static_cast<void>(from_y);
}

TEST(Capture, AnAtomicChangesItsBuffer) {
  Kernel c;
  const Value old = c.u[c.i];
  c.u[c.i].atomic_add(1);
  c.u[0] = old;
  expect_body(c, R"(
    let old_u = u[invocation.x]
    atomic u[invocation.x] += 1
    u[0] = old_u)");
}

TEST(Capture, ABarrierChangesEveryBufferThatCanBeWritten) {
  Kernel c;
  const Value fixed = c.x[c.i];
  const Value global = c.y[c.i];
  const Value shared = c.t[c.i];
  c.k.barrier();
  c.z[c.i] = fixed + global + shared;
  expect_body(c, R"(
    let old_y = y[invocation.x]
    let old_t = t[invocation.x]
    barrier
    z[invocation.x] = x[invocation.x] + old_y + old_t)");
}

TEST(Capture, AStoreLaterInALoopCountsForAValueMadeBeforeTheLoop) {
  Kernel c;
  const Value old = c.y[c.i];
  const Value other = c.u[c.i];
  c.k.loop("j", 0U, 4, [&](const Value& j) {
    c.z[j] = old;
    c.u[j] = other;
    c.k.when(j == other, [&] { c.y[c.i] = 0; });
  });
  expect_body(c, R"(
    let old_y = y[invocation.x]
    let old_u = u[invocation.x]
    for j in 0 .. 4 {
      z[j] = old_y
      u[j] = old_u
      if j == old_u { y[invocation.x] = 0.0 }
    })");
}

TEST(Capture, AValueMadeInTheLoopIsMadeAgainInEachPass) {
  Kernel c;
  const Variable v = c.k.var("v", 0.0F);
  c.k.loop("j", 0U, 4, [&](const Value& j) {
    const Value now = v;
    c.z[j] = now;
    v = now + 1;
  });
  expect_body(c, R"(
    var v = 0.0
    for j in 0 .. 4 {
      z[j] = v
      v = v + 1.0
    })");
}

TEST(Capture, TheBoundsOfALoopAreComputedBeforeIt) {
  Kernel c;
  c.k.loop("j", 0U, c.u[c.i], [&](const Value& j) { c.u[c.i] = j; });
  expect_body(c, "for j in 0 .. u[invocation.x] { u[invocation.x] = j }");
}

TEST(Capture, AValueIsKeptAcrossABranch) {
  Kernel c;
  const Value old = c.y[c.i];
  c.k.when(c.i < 4, [&] {
    c.y[c.i] = 1;
    c.z[c.i] = old;
  });
  c.z[0] = old;
  expect_body(c, R"(
    let old_y = y[invocation.x]
    if invocation.x < 4 {
      y[invocation.x] = 1.0
      z[invocation.x] = old_y
    }
    z[0] = old_y)");
}

TEST(Capture, AChangeInTheOtherBranchIsNotInBetween) {
  Kernel c;
  const Value old = c.y[c.i];
  c.k.when(c.i < 4, [&] { c.y[c.i] = 1; }, [&] { c.z[c.i] = old; });
  expect_body(c, R"(
    if invocation.x < 4 { y[invocation.x] = 1.0 } else { z[invocation.x] = y[invocation.x] })");
}

TEST(Capture, AChangeInTheOtherBranchIsInBetweenInALoop) {
  Kernel c;
  const Value old = c.y[c.i];
  c.k.loop("j", 0U, 4, [&](const Value& j) {
    c.k.when(c.i < j, [&] { c.y[c.i] = 1; }, [&] { c.z[c.i] = old; });
  });
  expect_body(c, R"(
    let old_y = y[invocation.x]
    for j in 0 .. 4 {
      if invocation.x < j { y[invocation.x] = 1.0 } else { z[invocation.x] = old_y }
    })");
}

TEST(Capture, AnIndexIsCapturedWhereItWasMadeAndNotWhereItsElementIs) {
  Kernel c;
  const Variable v = c.k.var("v", 0U);
  const Value at = v;
  v = 1;
  const Value element = c.y[at];
  c.y[v] = 2;
  c.z[at] = element;
  expect_body(c, R"(
    var v = 0
    let old_v = v
    v = 1
    let old_y = y[old_v]
    y[v] = 2.0
    z[old_v] = old_y)");
}

TEST(Capture, AnIndexMadeTogetherWithItsElementNeedsNoNameOfItsOwn) {
  Kernel c;
  const Value element = c.y[c.u[c.i]];
  c.u[c.i] = 0;
  c.y[c.i] = 0;
  c.z[c.i] = element;
  expect_body(c, R"(
    let old_y = y[u[invocation.x]]
    u[invocation.x] = 0
    y[invocation.x] = 0.0
    z[invocation.x] = old_y)");
}

TEST(Capture, TwoValuesOfOneSourceHaveTwoNames) {
  Kernel c;
  const Variable v = c.k.var("v", 0.0F);
  c.k.let("old_v", 1);
  const Value first = v;
  v = 1;
  const Value second = v;
  v = 2;
  c.z[c.i] = first + second + v;
  expect_body(c, R"(
    var v = 0.0
    let old_v = 1i
    let old_v1 = v
    v = 1.0
    let old_v2 = v
    v = 2.0
    z[invocation.x] = old_v1 + old_v2 + v)");
}

TEST(Capture, AStatementAddedAsItIsCounts) {
  Kernel c;
  const Value old = c.y[c.i];
  const Stmt store{Store{"y", c.i.expr(), literal(1.0F)}};
  c.k.add({If{.cond = literal(true), .then = {store, {Store{"z", c.i.expr(), old.expr()}}}}});
  expect_body(c, R"(
    let old_y = y[invocation.x]
    if true {
      y[invocation.x] = 1.0
      z[invocation.x] = old_y
    })");
}

TEST(Capture, AProgramCanBeFinishedTwice) {
  Kernel c;
  const Value old = c.y[c.i];
  c.y[c.i] = 1;
  c.z[c.i] = old;
  const auto first = c.k.finish();
  const auto second = c.k.finish();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
}

TEST(Capture, ASharedExpressionIsLookedAtOnce) {
  const Expr read(Load{"y", Scalar::f32, literal(0U)});
  Expr sum = read;
  for (int n = 0; n < 150; ++n) sum = Binary{BinaryOp::add, sum, sum};  // 2^150 paths
  History history;
  Program program;
  const auto store = [&](const std::string& buffer) {
    program.body.push_back({Store{buffer, literal(0U), sum}, {0, history.enter({})}});
    history.changed(buffer);
  };
  history.read(read);
  store("y");
  store("z");
  EXPECT_TRUE(capture(program, history).empty());
  ASSERT_EQ(program.body.size(), 3U);
  EXPECT_EQ(as<Let>(program.body[0])->value, read);
}

TEST(Capture, AValueOfABlockThatHasEndedIsAProblemIfItsSourceChanged) {
  Kernel c;
  std::optional<Value> old;
  c.k.when(c.i < 4, [&] { old = c.y[c.i]; });
  c.z[c.i] = *old;
  c.y[c.i] = 1;
  const auto line = SourceLocation::here().line + 1;
  c.z[c.i] = *old;
  const auto built = c.k.finish();
  ASSERT_FALSE(built);
  EXPECT_EQ(
      built.error().message,
      "this value of 'y' was read in a block that has ended, and 'y' has changed since: assign "
      "it to a var that is declared before the block (capture_test.cpp)");
  EXPECT_EQ(built.error().place.line, line);
  EXPECT_TRUE(built.error().others.empty());
}

TEST(Capture, ANameOfABlockThatHasEndedIsNotTakenForAnotherOfThatName) {
  Kernel c;
  std::optional<Value> lost;
  c.k.region("first", [&] { lost = c.k.let("a", 1.0F); });
  const Value other = c.k.let("a", 2.0F);
  c.z[c.i] = *lost + other;
  const auto built = c.k.finish();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().message,
            "'a' was declared in a block that has ended: declare it before the block "
            "(capture_test.cpp)");
}

}  // namespace
}  // namespace vyre::ir
