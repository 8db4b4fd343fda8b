// Buffers that caches need not keep: their text and rules.
#include <gtest/gtest.h>

#include <array>

#include "support/programs.h"
#include "vyre/ir/compose.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::parsed;
using testing::problems_of;

constexpr auto marked = R"(program p {
  buffer x: f32[64] read
  buffer y: f32[64] write nontemporal
  grid 64
  workgroup 64

  y[invocation.x] = x[invocation.x]
}
)";

constexpr auto unmarked = R"(program p {
  buffer x: f32[64] read
  buffer y: f32[64] write
  grid 64
  workgroup 64

  y[invocation.x] = x[invocation.x]
}
)";

std::string problem_of(std::string_view text) {
  const Problems problems = problems_of(text);
  return problems.empty() ? "none" : to_string(problems[0]);
}

TEST(Nontemporal, IsAMarkOfABuffer) {
  const Program program = parsed(marked);
  EXPECT_TRUE(program.buffers[1].nontemporal);
  EXPECT_FALSE(program.buffers[0].nontemporal);
  EXPECT_EQ(print(program), marked);
  EXPECT_NE(program, parsed(unmarked));
  EXPECT_NE(fingerprint(program), fingerprint(parsed(unmarked)));
}

TEST(Nontemporal, MayStillBeAName) {
  const Program program = parsed(R"(program p {
    grid 4
    buffer nontemporal: u32[4] write
    nontemporal[invocation.x] = 1
  })");
  EXPECT_FALSE(program.buffers[0].nontemporal);
  EXPECT_EQ(program.body.size(), 1U);
}

TEST(Nontemporal, IsRefusedWhereTheBufferIsReadToo) {
  const std::string expected =
      "2:10: 'y' is nontemporal, which only a buffer that is `write` can be";
  EXPECT_EQ(problem_of("program p {\n  buffer y: f32[4] read_write nontemporal\n  grid 1\n}"),
            expected);
  EXPECT_EQ(problem_of("program p {\n  buffer y: f32[4] read nontemporal\n  grid 1\n}"), expected);
}

TEST(Nontemporal, IsLostInACompositionThatReadsTheBuffer) {
  const Program reads = parsed(
      "program q { buffer y: f32[64] read buffer z: f32[64] write grid 64 "
      "z[invocation.x] = y[invocation.x] }");
  const std::array both = {parsed(marked), reads};
  const auto made = compose("both", both);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_FALSE(find_buffer(made->program, "y")->nontemporal);
}

}  // namespace
}  // namespace vyre::ir
