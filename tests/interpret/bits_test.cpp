// Functions of the bits of integers, beside what C++ counts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::Launch;

// None, all, the lowest, the highest and its neighbours, and others: a vector of 16.
template <class T>
std::vector<T> edges() {
  using Bits = std::make_unsigned_t<T>;
  constexpr auto all = std::numeric_limits<Bits>::max();
  constexpr auto highest = static_cast<Bits>(Bits{1} << (std::numeric_limits<Bits>::digits - 1));
  std::vector<T> made;
  for (const Bits bits :
       {Bits{0}, Bits{1}, Bits{2}, Bits{3}, Bits{6}, Bits{0xff}, Bits{0x8000}, Bits{0xdeadbeef},
        highest, highest - 1, highest + 1, highest / 2, all, all - 1, all / 2 - 1, all / 3}) {
    made.push_back(static_cast<T>(bits));
  }
  return made;
}

template <class T>
void expect_counts(std::string_view scalar) {
  const std::vector<T> x = edges<T>();
  for (const int lanes : {1, 2, 4, 8, 16}) {
    Launch launch(
        fmt::format("program p {{ buffer x: {0}[16] read  buffer ones: {0}[16] write\n"
                    "buffer zeros: {0}[16] write  grid 16 / {1}\n"
                    "let i = invocation.x * {1}\n"
                    "ones[i{2}] = popcount(x[i{2}])  zeros[i{2}] = clz(x[i{2}]) }}",
                    scalar, lanes, lanes == 1 ? "" : fmt::format(" : {}", lanes)));
    launch.set("x", x).run();
    const auto ones = launch.get<T>("ones");
    const auto zeros = launch.get<T>("zeros");
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto bits = static_cast<std::make_unsigned_t<T>>(x[i]);
      EXPECT_EQ(ones[i], static_cast<T>(std::popcount(bits))) << scalar << "x" << lanes << x[i];
      EXPECT_EQ(zeros[i], static_cast<T>(std::countl_zero(bits))) << scalar << "x" << lanes << x[i];
    }
  }
}

TEST(Bits, AreCountedAsCppCountsThemInEveryTypeAndNumberOfLanes) {
  expect_counts<std::uint32_t>("u32");
  expect_counts<std::int32_t>("i32");
  expect_counts<std::uint64_t>("u64");
  expect_counts<std::int64_t>("i64");
}

TEST(Bits, OfNothingAllAreLeadingZeros) {
  EXPECT_EQ(testing::after<std::uint64_t>(
                "program p { buffer out: u64[4] write  grid 1  workgroup 1\n"
                "out[0 : 4] = [u64(clz(0)), u64(clz(0i)), clz(0u64), u64(clz(0i64))] }",
                "out"),
            (std::vector<std::uint64_t>{32, 32, 64, 64}));
}

}  // namespace
}  // namespace vyre::interpret
