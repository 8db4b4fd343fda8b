#include "tune/bound.h"

#include <gtest/gtest.h>

#include "support/programs.h"

namespace vyre::tune {
namespace {

using testing::parsed;

Work work(std::string_view text, const ir::Uniforms& uniforms = {}) {
  return work_of(parsed(text), uniforms).value();
}

TEST(Bound, MovesTheBuffersOfSaxpyOnce) {
  const std::string_view saxpy = R"(program saxpy {
    uniform n: u32 = 1000
    buffer x: f32[n] read
    buffer y: f32[n] read_write
    grid n
    let i = invocation.x
    y[i] = fma(2.0, x[i], y[i])
  })";
  EXPECT_EQ(work(saxpy), (Work{.read_bytes = 4000, .updated_bytes = 4000, .operations = 2000}));
  EXPECT_EQ(work(saxpy, {{"n", Literal{Scalar::u32, 10}}}),
            (Work{.read_bytes = 40, .updated_bytes = 40, .operations = 20}));
}

// Each element is loaded 64 times, and has to come from memory once.
TEST(Bound, CountsBytesThatAreLoadedAgainOnce) {
  EXPECT_EQ(
      work(R"(program gemm {
    buffer a: f32[64 * 64] read
    buffer b: f32[64 * 64] read
    buffer c: f32[64 * 64] write
    grid 64, 64
    var sum = 0.0
    for i in 0 .. 64 {
      sum = fma(a[invocation.y * 64 + i], b[i * 64 + invocation.x], sum)
    }
    c[invocation.y * 64 + invocation.x] = sum
  })"),
      (Work{.read_bytes = 2 * 16384, .written_bytes = 16384, .operations = 2 * 64 * 64 * 64}));
}

TEST(Bound, DoesNotCountWhatIsLeftOut) {
  EXPECT_EQ(work(R"(program some {
    buffer x: f32[1000000] read
    buffer y: f32[1000000] write
    grid 10
    y[invocation.x] = x[invocation.x]
  })"),
            (Work{.read_bytes = 40, .written_bytes = 40}));
}

TEST(Bound, IsNotExactWhereALoopGoesWhoKnowsHowFar) {
  const Work found = work(R"(program rows {
    buffer ends: u32[8] read
    buffer x: f32[800] read
    buffer y: f32[8] write
    grid 8
    var sum = 0.0
    for k in 0 .. ends[invocation.x] { sum = sum + x[k] }
    y[invocation.x] = sum
  })");
  EXPECT_EQ(found,
            (Work{.read_bytes = 3232, .written_bytes = 32, .operations = 8, .exact = false}));
}

// Exact in binary.
TEST(Bound, IsTheLongerOfMovingAndComputing) {
  const Roof roof{.read_bytes = 8, .written_bytes = 4, .operations = 64};
  const Bound moving = bound_of({.read_bytes = 800, .written_bytes = 400, .operations = 640}, roof);
  EXPECT_EQ(moving, (Bound{.memory_ns = 200, .arithmetic_ns = 10}));
  EXPECT_EQ(moving.limit(), Limit::memory);
  EXPECT_EQ(moving.ns(), 200);
  EXPECT_EQ(bound_of({.updated_bytes = 400}, roof).ns(), 100);
  EXPECT_EQ(bound_of({.updated_bytes = 400}, {2, 4, 64}).ns(), 200);
  const Bound computing = bound_of({.read_bytes = 8, .operations = 6400}, roof);
  EXPECT_EQ(computing, (Bound{.memory_ns = 1, .arithmetic_ns = 100}));
  EXPECT_EQ(computing.limit(), Limit::arithmetic);
  EXPECT_EQ(computing.ns(), 100);
}

TEST(Bound, FailsWhereTheProgramCannotBeLaunched) {
  EXPECT_FALSE(work_of(parsed("program p { uniform n: u32 = 1 buffer y: f32[1] write grid n }"),
                       {{"n", Literal{Scalar::u32, 0}}}));
}

}  // namespace
}  // namespace vyre::tune
