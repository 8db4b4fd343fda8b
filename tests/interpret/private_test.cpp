// Private buffers: every invocation has its own.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::after;
using testing::Launch;
using Counts = std::vector<std::uint32_t>;

TEST(PrivateBuffer, IsAnotherOneForEveryInvocation) {
  EXPECT_EQ(
      after<std::uint32_t>("program p { buffer out: u32[5] write  private own: u32[4]  grid 5\n"
                           "own[0] = 100  own[invocation.x & 3] = invocation.x\n"
                           "out[invocation.x] = own[0] }",
                           "out"),
      (Counts{0, 100, 100, 100, 4}));
}

TEST(PrivateBuffer, KeepsItsElementsAcrossBarriers) {
  EXPECT_EQ(after<std::uint32_t>("program p { buffer out: u32[8] write  private own: u32[4]\n"
                                 "shared s: u32[4]  grid 8  workgroup 4\n"
                                 "own[2 : 2] = [local.x, local.x * 10]\n"
                                 "s[local.x] = own[3]\n"
                                 "barrier\n"
                                 "out[invocation.x] = s[3 - local.x] + own[2] }",
                                 "out"),
            (Counts{30, 21, 12, 3, 30, 21, 12, 3}));
}

TEST(PrivateBuffer, IsAsLongAsTheUniformsSay) {
  Launch launch(
      "program p { uniform n: u32 = 2  buffer out: u32[1] write  private own: u32[n]  grid 1\n"
      "for i in 0 .. n { own[i] = i * i }\n"
      "var sum = 0\n"
      "for i in 0 .. n { sum += own[i] }\n"
      "out[0] = sum }",
      {{"n", {Scalar::u32, 4}}});
  launch.run();
  EXPECT_EQ(launch.get<std::uint32_t>("out"), (Counts{14}));
}

TEST(PrivateBuffer, HasNoElementBeforeItIsWritten) {
  Launch launch(
      "program p { buffer out: u32[4] write  private own: u32[4]  grid 4\n"
      "if invocation.x != 2 { own[1] = 1 }\n"
      "out[invocation.x] = own[1] }");
  EXPECT_EQ(to_string(launch.error()),
            "3:1: `out[invocation.x] = own[1]`: invocation (2, 0, 0) reads element 1 of private "
            "buffer 'own', which it has not written; private memory starts undefined");
}

TEST(PrivateBuffer, HasBounds) {
  Launch launch(
      "program p { private own: u32[4]  grid 4\n"
      "own[invocation.x + 1] = 0 }");
  EXPECT_EQ(to_string(launch.error()),
            "2:1: `own[invocation.x + 1] = 0`: invocation (3, 0, 0) writes element 4 of private "
            "buffer 'own', which has 4; test the index first");
}

TEST(PrivateBuffer, IsRefusedWhereTheUniformsMakeItTooLarge) {
  Launch launch("program p { uniform n: u32 = 2  private own: u32[n]  grid 1\n own[0] = 0 }",
                {{"n", {Scalar::u32, 5000}}});
  EXPECT_EQ(to_string(launch.error()),
            "the private buffers of program p have 5000 elements; an invocation has 4096 at most: "
            "make them smaller, or use a buffer");
}

}  // namespace
}  // namespace vyre::interpret
