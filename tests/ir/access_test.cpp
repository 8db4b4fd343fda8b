#include "ir/access.h"

#include <gtest/gtest.h>

#include "support/programs.h"

namespace vyre::ir {
namespace {

BufferUse use_of_x(std::string_view statements, std::string_view grid = "n") {
  const Program program =
      testing::parsed("program p { uniform n: u32 = 4 buffer x: u32[n * n] read_write grid " +
                      std::string(grid) + " " + std::string(statements) + " }");
  return buffer_uses(program).at("x");
}

TEST(Access, AWriteIsAStoreOrAnAtomic) {
  EXPECT_FALSE(use_of_x("let a = x[0]").writes);
  EXPECT_TRUE(use_of_x("x[0] = 1").writes);
  EXPECT_TRUE(use_of_x("if true { atomic x[0] += 1 }").writes);
}

TEST(Access, TheOwnPlaceIsSeenThroughLets) {
  EXPECT_TRUE(use_of_x("let i = invocation.x region \"r\" { let k = i x[k] = x[i] }").own_place);
  EXPECT_FALSE(use_of_x("var i = invocation.x x[i] = 1").own_place);
  EXPECT_FALSE(use_of_x("x[invocation.x] = x[0]").own_place);
  EXPECT_FALSE(use_of_x("let v = x[invocation.x : 2]").own_place);
}

TEST(Access, TheOwnPlaceOfATwoDimensionalGridIsRowByRow) {
  EXPECT_TRUE(use_of_x("x[invocation.y * n + invocation.x] = 1", "n, n").own_place);
  EXPECT_TRUE(use_of_x("x[invocation.y * grid.x + invocation.x] = 1", "n, n").own_place);
  EXPECT_FALSE(use_of_x("x[invocation.x * n + invocation.y] = 1", "n, n").own_place);
  EXPECT_FALSE(use_of_x("x[invocation.x] = 1", "n, n").own_place);
}

}  // namespace
}  // namespace vyre::ir
