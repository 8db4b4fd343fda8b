#include "vyre/ir/size.h"

#include <gtest/gtest.h>

#include "support/programs.h"

namespace vyre::ir {
namespace {

using testing::parsed;

Result<std::uint32_t> count_of(std::string_view size, const Uniforms& uniforms = {}) {
  const Program p =
      parsed("program p { uniform n: u32 = 10 uniform m: u32 = 100000\nbuffer x: f32[" +
             std::string(size) + "] read workgroup 8, 4 }");
  return evaluate_size(p, p.buffers[0].count, uniforms);
}

TEST(Size, IsEvaluatedFromUniformsAndTheWorkgroup) {
  EXPECT_EQ(count_of("n * 3 + 5 % 3 - 1").value(), 31U);
  EXPECT_EQ(count_of("(n + workgroup.x - 1) / workgroup.x * workgroup.y").value(), 8U);
  EXPECT_EQ(count_of("max(min(n, 7), 3)").value(), 7U);
  EXPECT_EQ(count_of("n", {{"n", Literal{Scalar::u32, 42}}}).value(), 42U);
}

TEST(Size, DoesNotWrap) {
  EXPECT_EQ(count_of("m * m").error().message, "the size m * m = 10000000000 does not fit in u32");
  EXPECT_EQ(count_of("n - 11").error().message, "the size n - 11 is negative: 10 - 11");
  EXPECT_EQ(count_of("n / (n - 10)").error().message, "the size n / (n - 10) divides by zero");
  EXPECT_EQ(count_of("m * m").error().place, (Place{2, 17}));
}

TEST(Size, TheGridIsCoveredByWholeWorkgroups) {
  const Program p = parsed("program p { uniform n: u32 = 100 grid n, 3 workgroup 32, 2 }");
  EXPECT_EQ(launch_shape(p).value(),
            (Shape{.grid = {100, 3, 1}, .groups = {4, 2, 1}, .workgroup = {32, 2, 1}}));
}

TEST(Size, AnEmptyGridIsRefused) {
  const Program p = parsed("program p { uniform n: u32 = 0 grid 4, n }");
  EXPECT_EQ(launch_shape(p).error().message, "the grid is empty: n = 0 in y");
}

TEST(Size, AProgramWithBarriersRunsInWholeGroupsOnly) {
  const Program p = parsed("program p { uniform n: u32 = 100 grid n workgroup 32\nbarrier }");
  EXPECT_EQ(launch_shape(p).error().message,
            "the grid's x extent 100 is not a multiple of the workgroup's 32: a program with "
            "barriers runs in whole workgroups; round the grid up and test the index in the "
            "program");
  EXPECT_TRUE(launch_shape(p, {{"n", Literal{Scalar::u32, 96}}}));
}

TEST(Size, UniformsMustBeDeclaredAndOfTheirType) {
  const Program p = parsed("program p { uniform n: u32 = 100 }");
  EXPECT_TRUE(check_uniforms(p, {{"n", Literal{Scalar::u32, 1}}}));
  EXPECT_EQ(check_uniforms(p, {{"m", Literal{Scalar::u32, 1}}}).error().message,
            "program p has no uniform 'm'");
  EXPECT_EQ(check_uniforms(p, {{"n", Literal{Scalar::f32, 1}}}).error().message,
            "uniform 'n' is u32, not f32");
}

}  // namespace
}  // namespace vyre::ir
