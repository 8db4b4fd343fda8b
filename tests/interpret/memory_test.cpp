// Buffers: how elements are kept, vector accesses, atomics, shared memory between barriers.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::after;
using testing::Launch;
using Bytes = std::vector<std::uint8_t>;
using Counts = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

TEST(Memory, SaxpyComputesAxPlusY) {
  Launch launch(
      "program saxpy { uniform n: u32 = 1000  uniform a: f32 = 2.0\n"
      "buffer x: f32[n] read  buffer y: f32[n] read_write  grid n\n"
      "let i = invocation.x\n"
      "y[i] = fma(a, x[i], y[i]) }");
  Floats x(1000), y(1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = static_cast<float>(i % 17);
  }
  launch.set("x", x).set("y", y).run();
  const auto got = launch.get<float>("y");
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(got[i], 2 * x[i] + y[i]) << i;
  EXPECT_EQ(launch.get<float>("x"), x);
}

TEST(Memory, ABoolIsAByteThatReadsAsTrueUnlessZeroAndIsWrittenAsOne) {
  Launch launch(
      "program p { buffer x: bool[4] read  buffer out: bool[4] write  buffer n: u32[4] write\n"
      "grid 4\n"
      "let i = invocation.x\n"
      "out[i] = x[i]\n"
      "n[i] = u32(x[i]) + u32(!x[i]) * 10 }");
  launch.set("x", Bytes{0, 1, 2, 255}).run();
  EXPECT_EQ(launch.get<std::uint8_t>("out"), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(launch.get<std::uint32_t>("n"), (Counts{10, 1, 1, 1}));
}

TEST(Memory, BoolVectorsAreConsecutiveBytes) {
  EXPECT_EQ(after<std::uint8_t>("program p { buffer out: bool[5] write  grid 1  workgroup 1\n"
                                "out[1 : 4] = [true, false, 2 > 1, false] }",
                                "out"),
            (Bytes{0, 1, 0, 1, 0}));
}

TEST(Memory, NarrowIntegersAreWidenedWhenLoadedAndKeepTheirLowBitsWhenStored) {
  Launch launch(
      "program p { buffer u: u8[4] read_write  buffer s: i8[4] read_write\n"
      "buffer v: u16[4] read_write  buffer t: i16[4] read_write\n"
      "buffer us: u32[4] write  buffer ss: i32[4] write  grid 4\n"
      "let i = invocation.x\n"
      "us[i] = u[i] * 1000 + v[i]\n"
      "ss[i] = s[i] * 1000i + i32(t[i])\n"
      "u[i] = u[i] + 2\n"
      "s[i] = s[i] + 100i\n"
      "v[i] = v[i] - 1\n"
      "t[i] = 40000i * i32(i) }");
  launch.set("u", Bytes{0, 1, 254, 255}).set("s", std::vector<std::int8_t>{-128, -1, 27, 28});
  launch.set("v", std::vector<std::uint16_t>{0, 1, 2, 65535});
  launch.set("t", std::vector<std::int16_t>{-32768, -1, 0, 32767}).run();
  EXPECT_EQ(launch.get<std::uint32_t>("us"), (Counts{0, 1001, 254002, 320535}));
  EXPECT_EQ(launch.get<std::int32_t>("ss"),
            (std::vector<std::int32_t>{-160768, -1001, 27000, 60767}));
  EXPECT_EQ(launch.get<std::uint8_t>("u"), (Bytes{2, 3, 0, 1}));
  EXPECT_EQ(launch.get<std::int8_t>("s"), (std::vector<std::int8_t>{-28, 99, 127, -128}));
  EXPECT_EQ(launch.get<std::uint16_t>("v"), (std::vector<std::uint16_t>{65535, 0, 1, 65534}));
  EXPECT_EQ(launch.get<std::int16_t>("t"), (std::vector<std::int16_t>{0, -25536, 14464, -11072}));
}

TEST(Memory, HalvesAreFloatsInBetween) {
  Launch launch(
      "program p { buffer x: f16[4] read  buffer y: f16[4] write  buffer z: f32[4] write\n"
      "shared t: f16[4]  grid 1  workgroup 1\n"
      "t[0 : 4] = x[0 : 4] * splat4(3.0)\n"
      "z[0 : 4] = t[0 : 4]\n"
      "y[0 : 4] = t[0 : 4] + splat4(0.0001) }");
  launch.set("x", std::vector<Half>{0.1F, -2.0F, 30000.0F, 6e-8F}).run();
  const auto z = launch.get<float>("z");
  EXPECT_EQ(z[0], float{Half(0.0999755859375F * 3)});
  EXPECT_EQ(z[1], -6.0F);
  EXPECT_EQ(z[2], std::numeric_limits<float>::infinity());
  EXPECT_EQ(z[3], 3 * 0x1p-24F);
  const auto y = launch.get<Half>("y");
  EXPECT_EQ(float{y[1]}, -6.0F);
  EXPECT_EQ(float{y[3]}, float{Half(3 * 0x1p-24F + 0.0001F)});
}

TEST(Memory, NarrowVectorsAreConsecutiveElements) {
  EXPECT_EQ(after<std::uint8_t>("program p { buffer out: u8[5] read_write  grid 1  workgroup 1\n"
                                "out[1 : 4] = [1, 256, 0xffffffff, 4]\n"
                                "out[0 : 2] = out[3 : 2] + splat2(1) }",
                                "out"),
            (Bytes{0, 5, 0, 255, 4}));
}

TEST(Memory, VectorAccessesNeedNoAlignment) {
  Launch launch(
      "program p { buffer x: f32[12] read  buffer out: f32[12] write  grid 1  workgroup 1\n"
      "out[3 : 8] = x[1 : 8] * splat8(2.0)\n"
      "out[1 : 2] = [x[11], x[0]] }");
  Floats x(12);
  std::iota(x.begin(), x.end(), 0.0F);
  launch.set("x", x).run();
  EXPECT_EQ(launch.get<float>("out"), (Floats{0, 11, 0, 2, 4, 6, 8, 10, 12, 14, 16, 0}));
}

TEST(Memory, AVectorMayEndAtTheLastElement) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[5] write  grid 1  workgroup 1\n"
                                 "out[1 : 4] = splat4(9) }",
                                 "out"),
            (Counts{0, 9, 9, 9, 9}));
}

TEST(Memory, OnlyActiveInvocationsTouchMemory) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[3] read_write  grid 100\n"
                                 "let i = invocation.x\n"
                                 "if i < 3 { out[i] = out[i] + i + 1 } }",
                                 "out"),
            (Counts{1, 2, 3}));
}

TEST(Memory, AtomicsOfAllGroupsAddUp) {
  Launch launch(
      "program histogram { buffer x: u32[1000] read  buffer bins: u32[7] read_write\n"
      "grid 1000  workgroup 16\n"
      "atomic bins[x[invocation.x] % 7] += 1 }");
  Counts x(1000), bins(7, 5), expected(7, 5);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    x[i] = i * i;
    ++expected[i * i % 7];
  }
  launch.set("x", x).set("bins", bins).run();
  EXPECT_EQ(launch.get<std::uint32_t>("bins"), expected);
}

TEST(Memory, AnAtomicAddOfI32Wraps) {
  Launch launch(
      "program p { buffer n: i32[1] read_write  grid 3\n"
      "atomic n[0] += -1i - i32(invocation.x) }");
  launch.set("n", std::vector<std::int32_t>{-2147483647}).run();
  EXPECT_EQ(launch.get<std::int32_t>("n")[0], 2147483643);
}

TEST(Memory, AtomicsAddToFloats) {
  Launch launch(
      "program p { buffer x: f32[100] read  buffer sums: f32[2] read_write  shared all: f32[1]\n"
      "grid 100  workgroup 10  reassociate\n"
      "if local.x == 0 { all[0] = 0.0 }\n"
      "barrier\n"
      "atomic sums[0] += x[invocation.x]\n"
      "atomic all[0] += x[invocation.x] * 2.0\n"
      "barrier\n"
      "if local.x == 0 { atomic sums[1] += all[0] } }");
  Floats x(100);
  std::iota(x.begin(), x.end(), 0.0F);
  launch.set("x", x).set("sums", Floats{0.5F, -1.0F}).run();
  EXPECT_EQ(launch.get<float>("sums"), (Floats{4950.5F, 9899.0F}));
}

TEST(Memory, AGroupReducesThroughSharedMemory) {
  Launch launch(
      "program reduce { buffer x: f32[256] read  buffer sums: f32[4] write\n"
      "shared tile: f32[workgroup.x]  grid 256  workgroup 64\n"
      "let l = local.x\n"
      "tile[l] = x[invocation.x]\n"
      "barrier\n"
      "var width = 32\n"
      "for round in 0 .. 6 {\n"
      "  if l < width { tile[l] = tile[l] + tile[l + width] }\n"
      "  width = width / 2\n"
      "  barrier\n"
      "}\n"
      "if l == 0 { sums[group.x] = tile[0] } }");
  Floats x(256);
  std::iota(x.begin(), x.end(), 0.0F);
  launch.set("x", x).run();
  EXPECT_EQ(launch.get<float>("sums"), (Floats{2016, 6112, 10208, 14304}));
}

TEST(Memory, ABarrierLetsTheGroupSeeGlobalMemoryToo) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer a: u32[8] read_write  buffer b: u32[8] write\n"
                                 "grid 8  workgroup 4\n"
                                 "let first = group.x * 4\n"
                                 "a[invocation.x] = invocation.x * 10\n"
                                 "barrier\n"
                                 "b[invocation.x] = a[first + (local.x + 1) % 4] }",
                                 "b"),
            (Counts{10, 20, 30, 0, 50, 60, 70, 40}));
}

TEST(Memory, SharedAtomicsCountWithinEachGroup) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[3] write  shared n: u32[1]\n"
                                 "grid 30  workgroup 10\n"
                                 "if local.x == 0 { n[0] = 0 }\n"
                                 "barrier\n"
                                 "atomic n[0] += group.x + 1\n"
                                 "barrier\n"
                                 "if local.x == 9 { out[group.x] = n[0] } }",
                                 "out"),
            (Counts{10, 20, 30}));
}

TEST(Memory, SharedMemoryHoldsEveryElementType) {
  EXPECT_EQ(after<double>("program p { buffer out: f64[4] write\n"
                          "shared b: bool[4]  shared d: f64[4]  shared k: i32[4]\n"
                          "grid 4  workgroup 4\n"
                          "let l = local.x\n"
                          "b[l] = l % 2 == 0  d[l] = f64(l) + 0.25d  k[l] = -i32(l)\n"
                          "barrier\n"
                          "let m = 3 - l\n"
                          "out[l] = select(b[m], d[m], f64(k[m])) }",
                          "out"),
            (std::vector<double>{-3, 2.25, -1, 0.25}));
}

TEST(Memory, AnEmptyBufferIsAllowed) {
  EXPECT_TRUE(after<std::uint32_t>("program p { buffer out: u32[0] write  grid 4\n"
                                   "if invocation.x > 9 { out[0] = 1 } }",
                                   "out")
                  .empty());
}

}  // namespace
}  // namespace vyre::interpret
