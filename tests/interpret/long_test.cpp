// Integers of 64 bits: what C++ computes with them, and what it leaves undefined.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::after;
using testing::Launch;
using Longs = std::vector<std::int64_t>;
using Words = std::vector<std::uint64_t>;

constexpr std::int64_t least_long = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most_long = std::numeric_limits<std::int64_t>::max();

// The value of an expression of this type.
template <class T>
T value_of(const std::string& expression) {
  const std::string type = std::is_signed_v<T> ? "i64" : "u64";
  return after<T>("program p { buffer out: " + type +
                      "[1] write  grid 1  workgroup 1\nout[0] = " + expression + " }",
                  "out")[0];
}

TEST(Longs, WrapAndDivideAsOthersDo) {
  EXPECT_EQ(value_of<std::uint64_t>("0u64 - 1u64"), ~0ULL);
  EXPECT_EQ(value_of<std::uint64_t>("0xffffffffffffffffu64 * 3u64"), ~0ULL * 3);
  EXPECT_EQ(value_of<std::int64_t>("9223372036854775807i64 + 1i64"), least_long);
  EXPECT_EQ(value_of<std::int64_t>("-9223372036854775808i64 / -1i64"), least_long);
  EXPECT_EQ(value_of<std::int64_t>("-9223372036854775808i64 % -1i64"), 0);
  EXPECT_EQ(value_of<std::int64_t>("abs(-9223372036854775808i64)"), least_long);
  EXPECT_EQ(value_of<std::int64_t>("-7i64 / 2i64"), -3);
  EXPECT_EQ(value_of<std::int64_t>("-7i64 % 2i64"), -1);
  EXPECT_EQ(value_of<std::uint64_t>("7u64 / 0u64"), 0U);
  EXPECT_EQ(value_of<std::uint64_t>("7u64 % 0u64"), 7U);
  EXPECT_EQ(value_of<std::int64_t>("min(-5i64, 3i64) + max(-5i64, 3i64)"), -2);
}

TEST(Longs, ShiftByACountModulo64) {
  EXPECT_EQ(value_of<std::uint64_t>("1u64 << 63u64"), 1ULL << 63U);
  EXPECT_EQ(value_of<std::uint64_t>("1u64 << 65u64"), 2U);
  EXPECT_EQ(value_of<std::int64_t>("-16i64 >> 66i64"), -4);
  EXPECT_EQ(value_of<std::uint64_t>("~0u64 >> 60u64"), 15U);
}

TEST(Longs, KeepTheLowBitsBetweenIntegersAndSaturateFromFloats) {
  EXPECT_EQ(value_of<std::int64_t>("i64(-1i)"), -1);
  EXPECT_EQ(value_of<std::uint64_t>("u64(-1i)"), ~0ULL);
  EXPECT_EQ(value_of<std::int64_t>("i64(0xffffffff)"), 0xffffffff);
  EXPECT_EQ(value_of<std::uint64_t>("u64(u32(0x1234567890u64))"), 0x34567890U);
  EXPECT_EQ(value_of<std::int64_t>("i64(i32(0x80000000u64))"), -0x80000000LL);
  EXPECT_EQ(value_of<std::int64_t>("i64(1e30)"), most_long);
  EXPECT_EQ(value_of<std::int64_t>("i64(-1e30)"), least_long);
  EXPECT_EQ(value_of<std::int64_t>("i64(f32.nan)"), 0);
  EXPECT_EQ(value_of<std::uint64_t>("u64(-1.0)"), 0U);
  EXPECT_EQ(value_of<std::uint64_t>("u64(1e300d)"), ~0ULL);
  EXPECT_EQ(value_of<std::uint64_t>("u64(f64(9007199254740993u64))"), 9007199254740992U);
  EXPECT_EQ(value_of<std::uint64_t>("u64(bool(0x100000000u64))"), 1U);
}

TEST(Longs, AreComparedWhole) {
  EXPECT_EQ(value_of<std::uint64_t>("u64(0x100000000u64 > 0xffffffffu64)"), 1U);
  EXPECT_EQ(value_of<std::uint64_t>("u64(-1i64 < 0i64) + u64(0xffffffffffffffffu64 > 0u64)"), 2U);
  EXPECT_EQ(value_of<std::uint64_t>("u64(0x100000001u64 == 1u64)"), 0U);
}

TEST(Longs, ComeInBuffersUniformsVariablesAndVectors) {
  Launch launch(
      "program p { uniform k: i64 = -5000000000i64\n"
      "buffer x: i64[5] read  buffer y: i64[5] read_write  buffer u: u64[2] write\n"
      "shared t: i64[4]  grid 1  workgroup 1\n"
      "var v = x[1 : 4]\n"
      "for j in 0 .. 3 { v = v + splat4(k) }\n"
      "t[0 : 4] = [v.3, v.2, v.1, v.0]\n"
      "y[0 : 4] = t[0 : 4]\n"
      "y[4] = sum(v)\n"
      "u[0 : 2] = select([true, false], [1u64, 2u64], [3u64, 4u64]) }");
  launch.set("x", Longs{0, 1, 2, 3, most_long}).run();
  EXPECT_EQ(launch.get<std::int64_t>("y"),
            (Longs{most_long - 15'000'000'000, -14'999'999'997, -14'999'999'998, -14'999'999'999,
                   most_long - 15'000'000'000 - 44'999'999'994}));
  EXPECT_EQ(launch.get<std::uint64_t>("u"), (Words{1, 4}));
}

}  // namespace
}  // namespace vyre::interpret
