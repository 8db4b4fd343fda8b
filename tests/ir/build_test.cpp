// The builder makes the programs that the same text makes.
#include "vyre/ir/build.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::parsed;

void expect_same(const Builder& k, std::string_view text) {
  const auto built = k.finish();
  ASSERT_TRUE(built) << testing::listed(built.error());
  const Program expected = parsed(text);
  EXPECT_EQ(*built, expected) << print(*built);
}

TEST(Builder, SaxpyReadsLikeTheKernel) {
  Builder k("saxpy");
  const Value n = k.uniform("n", 1024U);
  const Value a = k.uniform("a", 2.0F);
  const BufferRef x = k.read("x", Scalar::f32, n);
  const BufferRef y = k.read_write("y", Scalar::f32, n);
  k.grid(n);
  const Value i = k.let("i", invocation(0));
  y[i] = fma(a, x[i], y[i]);
  expect_same(k, R"(program saxpy {
    uniform n: u32 = 1024
    uniform a: f32 = 2.0
    buffer x: f32[n] read
    buffer y: f32[n] read_write
    grid n
    let i = invocation.x
    y[i] = fma(a, x[i], y[i])
  })");
}

TEST(Builder, EveryStatementHasItsForm) {
  Builder k("all");
  const BufferRef in = k.read("input", Scalar::f32, constant(64U));
  const BufferRef out = k.write("output", Scalar::f32, constant(64U));
  const BufferRef bins = k.read_write("bins", Scalar::u32, constant(4U));
  const BufferRef tile = k.shared("tile", Scalar::f32, workgroup(0));
  k.grid(constant(64U));
  k.workgroup(32);
  const Value l = k.let("l", local(0));
  tile[l] = in[invocation(0)];
  k.barrier();
  const Variable sum = k.var("sum", constant(0.0F));
  k.region("sum", [&] {
    k.loop("j", constant(0U), workgroup(0), [&](const Value& j) { sum += tile[j] * 2; });
    k.loop("j", constant(0), constant(9), constant(3),
           [&](const Value& j) { sum = sum - convert(Scalar::f32, j); });
  });
  k.when(l == 0, [&] { out[group(0)] = sum; }, [&] { bins[l % 4].atomic_add(constant(1U)); });
  out.at(l * 2, 2) = vector({sum, 1.0F + sum});
  out[3U] = 0;
  expect_same(k, R"(program all {
    buffer input: f32[64] read
    buffer output: f32[64] write
    buffer bins: u32[4] read_write
    shared tile: f32[workgroup.x]
    grid 64
    workgroup 32
    let l = local.x
    tile[l] = input[invocation.x]
    barrier
    var sum = 0.0
    region "sum" {
      for j in 0 .. workgroup.x { sum = sum + tile[j] * 2.0 }
      for j in 0i .. 9i step 3i { sum = sum - f32(j) }
    }
    if l == 0 { output[group.x] = sum } else { atomic bins[l % 4] += 1 }
    output[l * 2 : 2] = [sum, 1.0 + sum]
    output[3] = 0.0
  })");
}

TEST(Builder, MistakesAreReportedTogetherWithTheStatementTheyStandIn) {
  Builder k("wrong");
  const BufferRef x = k.read("x", Scalar::f32, constant(4U));
  x[invocation(0)] = invocation(0);
  k.let("y", sqrt(invocation(0)));
  const auto built = k.finish();
  ASSERT_FALSE(built);
  EXPECT_EQ(testing::listed(built.error()),
            "in `x[invocation.x] = invocation.x`: buffer 'x' is read only: declare it write or "
            "read_write\n"
            "in `x[invocation.x] = invocation.x`: buffer 'x' holds f32, but the value is u32\n"
            "in `let y = sqrt(invocation.x)`: 'sqrt' does not work on u32\n");
}

TEST(Builder, AVariableWhoseNameIsTakenGetsANumberWhileTheOtherIsInSight) {
  Builder k("names");
  const BufferRef x = k.write("x", Scalar::u32, constant(4U));
  const Value one = k.let("x", constant(1U));
  const Value two = k.let("x", one + one);
  k.loop("i", constant(0U), constant(4U), [&](const Value& i) {
    k.loop("i", i, constant(4U), [&](const Value& j) { x[j] = two; });
  });
  k.loop("i", constant(0U), constant(4U), [&](const Value& i) { x[i] = one; });
  expect_same(k, R"(program names {
    buffer x: u32[4] write
    let x1 = 1
    let x2 = x1 + x1
    for i in 0 .. 4 {
      for i1 in i .. 4 { x[i1] = x2 }
    }
    for i in 0 .. 4 { x[i] = x1 }
  })");
}

TEST(Builder, AnExpressionTooDeepForTheTextFormIsRefused) {
  Builder k("deep");
  Value sum = constant(0U);
  for (int i = 0; i < 1000; ++i) sum = sum + 1;
  k.let("r", sum);
  const auto built = k.finish();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().message, "the expression is nested deeper than 200: split it with let");
}

}  // namespace
}  // namespace vyre::ir
