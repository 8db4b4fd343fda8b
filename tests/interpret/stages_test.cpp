// Stages one after the other, and the scratch memory between them.
#include <gtest/gtest.h>

#include "interpret/interpret.h"
#include "support/programs.h"

namespace vyre::interpret {
namespace {

using testing::parsed;

Result<Ran> run_on(const char* text, std::vector<std::uint32_t>& x, Options options = {}) {
  const std::array<std::span<std::byte>, 1> buffers = {std::as_writable_bytes(std::span(x))};
  return run(parsed(text), {}, buffers, options);
}

constexpr auto reversed_twice = R"(program p {
  buffer x: u32[8] read_write
  scratch kept: u32[8]
  grid 8
  workgroup 4
  kept[7 - invocation.x] = x[invocation.x] + 1
  then grid 8 workgroup 8 {
    x[invocation.x] = kept[invocation.x]
    kept[invocation.x] = kept[invocation.x] * 10
  }
  then grid 1 workgroup 1 { x[0] = kept[0] + x[1] }
})";

TEST(StagesRun, EachAfterAllOfTheOneBefore) {
  std::vector<std::uint32_t> x = {0, 1, 2, 3, 4, 5, 6, 7};
  ASSERT_TRUE(run_on(reversed_twice, x));
  EXPECT_EQ(x, (std::vector<std::uint32_t>{87, 7, 6, 5, 4, 3, 2, 1}));
}

TEST(StagesRun, AsAWholeWhereAPartWouldDo) {
  std::vector<std::uint32_t> x(8, 4);
  const auto ran = run_on(reversed_twice, x, {.sample = 1});
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->whole);
  EXPECT_EQ(x[0], 55U);
}

TEST(StagesRun, WithinOneLimitOfSteps) {
  constexpr auto loops = R"(program p {
    buffer x: u32[1] read_write
    grid 1
    for i in 0 .. 100 { x[0] = i }
    then grid 1 { for i in 0 .. 100 { x[0] = i } }
  })";
  std::vector<std::uint32_t> x(1);
  const auto ran = run_on(loops, x);
  ASSERT_TRUE(ran);
  EXPECT_TRUE(run_on(loops, x, {.step_limit = ran->steps}));
  const auto stopped = run_on(loops, x, {.step_limit = ran->steps - 1});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::timeout);
}

TEST(StagesRun, WithoutReadingScratchThatNobodyWrote) {
  std::vector<std::uint32_t> x(4);
  const auto ran = run_on(R"(program p {
    buffer x: u32[4] write
    scratch kept: u32[4]
    grid 3
    kept[invocation.x] = 1
    then grid 4 { x[invocation.x] = kept[invocation.x] }
  })",
                          x);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().message,
            "`x[invocation.x] = kept[invocation.x]`: invocation (3, 0, 0) reads element 3 of "
            "scratch buffer 'kept', which nobody has written; scratch memory starts undefined");
}

TEST(StagesRun, WithinALimitOfScratch) {
  std::vector<std::uint32_t> x(1);
  const auto ran =
      run_on("program p { buffer x: u32[1] write scratch s: u64[4294967295] grid 1 x[0] = 1 }", x);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().message,
            "with 's', the scratch buffers of program p have 34359738360 bytes; the interpreter "
            "allows 1073741824");
}

TEST(StagesRun, WithoutRacesForScratch) {
  std::vector<std::uint32_t> x(4);
  const auto ran = run_on(R"(program p {
    buffer x: u32[4] write
    scratch kept: u32[1]
    grid 4
    kept[0] = invocation.x
  })",
                          x);
  ASSERT_FALSE(ran);
  EXPECT_NE(ran.error().message.find("a data race"), std::string::npos);
}

}  // namespace
}  // namespace vyre::interpret
