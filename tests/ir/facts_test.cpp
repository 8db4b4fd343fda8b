#include "ir/facts.h"

#include <gtest/gtest.h>

#include "support/programs.h"

namespace vyre::ir {
namespace {

using testing::in_body;
using testing::parsed;

TEST(Facts, OfSaxpyAreThoseOnPaper) {
  const Facts f = facts(parsed(R"(program saxpy {
    uniform n: u32 = 1000
    buffer x: f32[n] read
    buffer y: f32[n] read_write
    grid n
    let i = invocation.x
    y[i] = fma(2.0, x[i], y[i])
  })"))
                      .value();
  EXPECT_EQ(f, (Facts{.float_ops = 2000,
                      .loads = 2000,
                      .stores = 1000,
                      .global_bytes_read = 8000,
                      .global_bytes_written = 4000,
                      .invocations = 1000}));
}

TEST(Facts, LoopsCountAsOftenAsTheyRun) {
  const Program p = parsed(R"(program p {
    uniform n: u32 = 10
    buffer x: f32[n * 16] read
    buffer y: f32[4] write
    grid 4
    var sum = splat4(0.0)
    for k in 0 .. n step 3 {
      for j in 0i .. 2i { sum = sum + x[k : 4] }
    }
    y[invocation.x] = sum.0 / sqrt(sum.1)
  })");
  const Facts f = facts(p).value();
  EXPECT_EQ(f.float_ops, 4U * 4 * 2 * 4);
  EXPECT_EQ(f.loads, 4U * 4 * 2);
  EXPECT_EQ(f.global_bytes_read, 4U * 4 * 2 * 16);
  EXPECT_EQ(f.special_ops, 4U * 2);
  EXPECT_EQ(f.loops, 2U);
  EXPECT_EQ(f.divergent, 0U);
  EXPECT_TRUE(f.exact);
  EXPECT_EQ(facts(p, {{"n", Literal{Scalar::u32, 30}}}).value().loads, 4U * 10 * 2);
}

TEST(Facts, FunctionsThatAreNotExactAreSpecial) {
  const Facts f = facts(parsed("program p { buffer y: f32[1] write grid 1 "
                               "y[0] = sin(2.0) + floor(pow(2.0, 3.0)) }"))
                      .value();
  EXPECT_EQ(f.special_ops, 2U);
  EXPECT_EQ(f.float_ops, 2U);
}

TEST(Facts, WhatDependsOnTheInvocationDiverges) {
  const Facts f = facts(parsed(in_body(R"(
    let i = invocation.x
    if n > 3 { u[i] = 1 }
    if group.x == 0 { u[i] = 1 }
    if i > 3 { u[i] = 2 }
    if v[0] > 1.0 { u[i] = 3 }
    for k in 0 .. i { u[k] = u[k] + 1 }
  )")))
                      .value();
  EXPECT_EQ(f.branches, 4U);
  EXPECT_EQ(f.divergent, 3U);
  EXPECT_FALSE(f.exact);
}

TEST(Facts, SharedMemoryBarriersAndAtomicsAreCountedApart) {
  const Facts f = facts(parsed(in_body(R"(
    tile[local.x] = v[invocation.x]
    barrier
    region "count" { atomic u[u32(tile[0]) & 63] += 1 }
  )")))
                      .value();
  EXPECT_EQ(f.barriers, 1U);
  EXPECT_EQ(f.atomics, 64U);
  EXPECT_EQ(f.shared_bytes, 256U);
  EXPECT_EQ(f.shared_bytes_written, 256U);
  EXPECT_EQ(f.shared_bytes_read, 256U);
  EXPECT_EQ(f.global_bytes_read, 512U);
  EXPECT_EQ(f.global_bytes_written, 256U);
  EXPECT_EQ(f.conversions, 64U);
  EXPECT_EQ(f.integer_ops, 64U);
}

}  // namespace
}  // namespace vyre::ir
