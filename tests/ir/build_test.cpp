// The builder makes the programs that the same text makes.
#include "vyre/ir/build.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

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
  k.or_workgroup(16, 2);
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
    workgroup 32 or 16, 2
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

TEST(Builder, MistakesAreReportedTogetherWithTheStatementAndTheLineTheyStandIn) {
  Builder k("wrong");
  const auto line = SourceLocation::here().line;
  const BufferRef x = k.read("x", Scalar::f32, constant(4U));
  x[invocation(0)] = invocation(0);
  k.let("y", sqrt(invocation(0)));
  k.read("x", Scalar::f32, 4);
  const auto built = k.finish();
  ASSERT_FALSE(built);
  std::string listed;
  for (const Error& e : built.error().all()) {
    listed += fmt::format("{}: {}\n", e.place.line - line, e.message);
  }
  EXPECT_EQ(listed,
            "4: 'x' is already declared (build_test.cpp)\n"
            "2: in `x[invocation.x] = invocation.x`: buffer 'x' is read only: declare it write or "
            "read_write (build_test.cpp)\n"
            "2: in `x[invocation.x] = invocation.x`: buffer 'x' holds f32, but the value is u32 "
            "(build_test.cpp)\n"
            "3: in `let y = sqrt(invocation.x)`: 'sqrt' does not work on u32 (build_test.cpp)\n");
}

TEST(Builder, EveryKindOfStatementHasThePlaceItWasWrittenAt) {
  Builder k("places");
  const BufferRef x = k.read_write("x", Scalar::f32, 4);
  const Variable v = k.var("v", 0.0F);
  const auto line = SourceLocation::here().line;
  k.let("a", sqrt(1));
  v = 1U + invocation(0);
  x[0] += invocation(0);
  x[0].atomic_add(1);
  k.when(invocation(0), [] {});
  k.loop("j", 0.0F, 1.0F, [](const Value&) {});
  k.region("", [] {});
  k.grid(invocation(0));
  const auto built = k.finish();
  ASSERT_FALSE(built);
  std::vector<std::uint32_t> lines;
  for (const Error& e : built.error().all()) lines.push_back(e.place.line - line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{8, 1, 2, 3, 4, 5, 6, 7}))
      << testing::listed(built.error());
}

TEST(Builder, AFinishedProgramHasNoPlaces) {
  Builder k("places");
  const BufferRef x = k.write("x", Scalar::f32, 4);
  k.grid(4);
  k.when(invocation(0) < 2, [&] { x[invocation(0)] = 1; });
  const auto built = k.finish();
  ASSERT_TRUE(built);
  const Stmt& branch = built->body[0];
  for (const Place place : {branch.place, as<If>(branch)->then[0].place, built->buffers[0].place,
                            built->buffers[0].count.place(), built->grid[0].place()}) {
    EXPECT_EQ(place, Place{});
  }
}

TEST(Builder, NumbersStandWhereverValuesMay) {
  Builder k("numbers");
  const Value n = k.uniform("n", std::size_t{64});
  const BufferRef x = k.write("x", Scalar::f32, 64);
  const BufferRef u = k.read_write("u", Scalar::u32, n);
  k.grid(n, 2);
  k.let("c", 1U);
  const Variable s = k.var("s", 0.0F);
  s = 2;
  x[0] = s;
  x.at(4, 2) = 0;
  u[1].atomic_add(3);
  k.loop("j", 0, n, 2, [&](const Value& j) { u[j] = 0; });
  expect_same(k, R"(program numbers {
    uniform n: u32 = 64
    buffer x: f32[64] write
    buffer u: u32[n] read_write
    grid n, 2
    let c = 1
    var s = 0.0
    s = 2.0
    x[0] = s
    x[4 : 2] = splat2(0.0)
    atomic u[1] += 3
    for j in 0 .. n step 2 { u[j] = 0 }
  })");
}

TEST(Builder, NarrowElementsAreReadAndWrittenAsWhatTheyAreConvertedTo) {
  Builder k("narrow");
  const BufferRef pixels = k.read_write("pixels", Scalar::u8, 64);
  const BufferRef h = k.write("h", Scalar::f16, 64);
  k.grid(64);
  const Value i = k.let("i", invocation(0));
  pixels[i] = pixels[i] * 3 + 300;
  pixels[i] >>= 1;
  h.at(i, 2) = convert(Scalar::f32, pixels.at(i, 2)) * 0.5;
  expect_same(k, R"(program narrow {
    buffer pixels: u8[64] read_write
    buffer h: f16[64] write
    grid 64
    let i = invocation.x
    pixels[i] = pixels[i] * 3 + 300
    pixels[i] = pixels[i] >> 1
    h[i : 2] = f32(pixels[i : 2]) * splat2(0.5)
  })");
}

TEST(Builder, NumbersBesideLongsAreLongs) {
  Builder k("longs");
  const BufferRef x = k.read_write("x", Scalar::u64, 64);
  k.grid(64);
  const Value i = k.let("i", invocation(0));
  x[i] = x[i] * 3 + 5'000'000'000ULL;
  k.let("m", constant(std::int64_t{-1}) / -2 + 7.0);
  expect_same(k, R"(program longs {
    buffer x: u64[64] read_write
    grid 64
    let i = invocation.x
    x[i] = x[i] * 3u64 + 5000000000u64
    let m = -1i64 / -2i64 + 7i64
  })");
  for (const Value& wrong : {Value(-1), Value(0.5), Value(1e19)}) {
    Builder other("wrong");
    const BufferRef y = other.write("y", Scalar::u64, 64);
    y[0] = wrong;
    ASSERT_FALSE(other.finish());
    EXPECT_TRUE(testing::listed(other.finish().error()).contains("is not a u64"));
  }
}

TEST(Builder, NoValueAndNoAtomicIsNarrow) {
  Builder k("narrow");
  const BufferRef pixels = k.read_write("pixels", Scalar::u8, 64);
  k.grid(64);
  k.let("c", constant(1, {Scalar::u8}));
  k.let("d", convert(Scalar::f16, 1.0F));
  pixels[invocation(0)].atomic_add(1);
  const auto built = k.finish();
  ASSERT_FALSE(built);
  const std::string problems = testing::listed(built.error());
  EXPECT_TRUE(problems.contains("u8 is a type of buffer elements only: make it a u32")) << problems;
  EXPECT_TRUE(problems.contains("f16 is a type of buffer elements only: an f32 is converted"));
  EXPECT_TRUE(problems.contains("an atomic adds to u32, i32 or f32, but buffer 'pixels' holds u8"));
}

TEST(Builder, CompoundAssignmentsReadAndWrite) {
  Builder k("compound");
  const BufferRef y = k.read_write("y", Scalar::f32, 64);
  const BufferRef u = k.read_write("u", Scalar::u32, 64);
  k.grid(64);
  const Value i = k.let("i", invocation(0));
  const Variable v = k.var("v", 1U);
  const Variable w = k.var("w", i);
  y[i] += y[i];
  y[i] -= 1;
  y[i] *= 2;
  y[i] /= 0.5;
  u[i] %= v;
  u[i] &= 1;
  u[i] |= 2;
  u[i] ^= 4;
  u[i] <<= 8;
  u[i] >>= 16;
  v += 1;
  v -= i;
  v *= u[i];
  v /= 2;
  v %= 3;
  v &= 4;
  v |= 5;
  v ^= 6;
  v <<= 7;
  v >>= w;
  ++v;
  --v;
  w = v;
  u[i] = u[0];
  expect_same(k, R"(program compound {
    buffer y: f32[64] read_write
    buffer u: u32[64] read_write
    grid 64
    let i = invocation.x
    var v = 1
    var w = i
    y[i] = y[i] + y[i]
    y[i] = y[i] - 1.0
    y[i] = y[i] * 2.0
    y[i] = y[i] / 0.5
    u[i] = u[i] % v
    u[i] = u[i] & 1
    u[i] = u[i] | 2
    u[i] = u[i] ^ 4
    u[i] = u[i] << 8
    u[i] = u[i] >> 16
    v = v + 1
    v = v - i
    v = v * u[i]
    v = v / 2
    v = v % 3
    v = v & 4
    v = v | 5
    v = v ^ 6
    v = v << 7
    v = v >> w
    v = v + 1
    v = v - 1
    w = v
    u[i] = u[0]
  })");
}

TEST(Builder, ANumberThatIsNoIndexSizeOrElementIsAProblem) {
  Builder k("wrong");
  const BufferRef x = k.read_write("x", Scalar::f32, 2.5);
  const BufferRef u = k.read_write("u", Scalar::u32, 4);
  k.grid(-4);
  x[-1] = 1e300;
  const Value half = x[0.5];
  u.at(0, 2) = half;
  k.uniform("n", half);
  const auto built = k.finish();
  ASSERT_FALSE(built);
  std::string listed;
  for (const Error& e : built.error().all()) listed += e.message + "\n";
  EXPECT_EQ(listed,
            "2.5 is not a u32: write a whole number (build_test.cpp)\n"
            "-4 is not a u32, which holds 0 to 4294967295 (build_test.cpp)\n"
            "1e+300 is not an f32, which holds up to 3.4028235e+38 (build_test.cpp)\n"
            "-1 is not a u32, which holds 0 to 4294967295 (build_test.cpp)\n"
            "0.5 is not a u32: write a whole number (build_test.cpp)\n"
            "2 elements of 'u' are assigned, but the value is f32: splat(2, ...) "
            "(build_test.cpp)\n"
            "the default of uniform 'n' is not a number (build_test.cpp)\n"
            "in `u[0] = x[0]`: buffer 'u' holds u32, but the value is f32 (build_test.cpp)\n");
}

TEST(Builder, AVariableIsOfNoUseAfterItsBlock) {
  Builder k("ended");
  std::optional<Variable> v;
  k.region("r", [&] { v.emplace(k.var("v", 0U)); });
  k.let("a", *v);
  *v = 1;
  const auto built = k.finish();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().message,
            "the block that declares 'v' has ended: declare it before the block (build_test.cpp)");
}

// A named element or a copy of a variable would be read where it is used.
static_assert(std::is_convertible_v<Element, Value>);
static_assert(!std::is_convertible_v<const Element&, Value>);
static_assert(!std::is_copy_constructible_v<Variable>);

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
  EXPECT_EQ(built.error().message,
            "the expression is nested deeper than 200: split it with let (build_test.cpp)");
}

TEST(Builder, AnExpressionTooLargeToBeWrittenOutIsRefusedAtOnce) {
  Builder k("large");
  Value sum = invocation(0);
  for (int i = 0; i < 150; ++i) sum = sum + sum;
  k.let("r", sum);
  const auto built = k.finish();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().message,
            "the expression has more than 100000 parts, as each use of a value counts: name some "
            "with let (build_test.cpp)");
}

}  // namespace
}  // namespace vyre::ir
