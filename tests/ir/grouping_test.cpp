#include "ir/grouping.h"

#include <gtest/gtest.h>

#include "support/programs.h"

namespace vyre::ir {
namespace {

using testing::parsed;

TEST(Grouping, OnlyProgramsThatSeeTheirGroupDependOnTheWorkgroup) {
  const auto depends = [](std::string_view body) {
    return depends_on_workgroup(
        parsed("program p { buffer u: u32[64] read_write grid 64\n" + std::string(body) + " }"));
  };
  EXPECT_FALSE(depends("u[invocation.x] = grid.x"));
  EXPECT_TRUE(depends("u[invocation.x] = local.x"));
  EXPECT_TRUE(depends("if true { for k in 0 .. group.x { } }"));
  EXPECT_TRUE(depends("barrier"));
  EXPECT_TRUE(depends_on_workgroup(parsed("program p { shared t: u32[4] }")));
  EXPECT_TRUE(depends_on_workgroup(parsed("program p { grid 4 * workgroup.x }")));
}

TEST(Grouping, ABarrierIsFoundInAnyBlock) {
  const auto has = [](std::string_view body) {
    return has_barrier(parsed("program p { " + std::string(body) + " }").body);
  };
  EXPECT_FALSE(has("if true { } else { region \"r\" { } }"));
  EXPECT_TRUE(has("if true { } else { region \"r\" { for k in 0 .. 2 { barrier } } }"));
}

TEST(Grouping, KnowsTheNamesThatAreTheSameForAGroup) {
  const NameSet names =
      names_of_group(parsed(R"(program p { uniform n: u32 = 4 buffer u: u32[4] read
    let a = n * group.x + workgroup.y
    let b = local.x
    let c = u[a]
    var d = 1
    for i in a .. b step 2 { let e = i + 1 }
    for j in b .. n { let f = j } })"));
  EXPECT_EQ(names, (NameSet{"n", "a", "i", "e"}));
}

}  // namespace
}  // namespace vyre::ir
