// What a program must not do: each is an error that names the statement, its place, the invocation
// and the numbers.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/launch.h"

namespace vyre::interpret {
namespace {

using testing::Launch;

// The error says that `stmt` at line `line` of the text went wrong, and has all the `details`.
void expect_error(std::string_view text, std::string_view stmt, std::uint32_t line,
                  const std::vector<std::string>& details, Options options = {}) {
  const Error error = Launch(text).error(options);
  EXPECT_EQ(error.kind, ErrorKind::run) << text;
  EXPECT_EQ(error.place.line, line) << error.message;
  EXPECT_EQ(error.message.find("`" + std::string(stmt) + "`: "), 0U) << error.message;
  for (const std::string& detail : details) {
    EXPECT_NE(error.message.find(detail), std::string::npos) << error.message << "\n" << detail;
  }
}

TEST(Fault, AnAccessOutOfBoundsNamesBufferIndexAndCount) {
  expect_error(
      "program p { buffer x: f32[10] read  buffer y: f32[100] write  grid 100\n"
      "let i = invocation.x\n"
      "y[i] = x[i] }",
      "y[i] = x[i]", 3, {"invocation (10, 0, 0) reads element 10 of buffer 'x', which has 10"});
  expect_error(
      "program p { buffer y: f32[7] write  grid 2, 4\n"
      "y[invocation.y * 2 + invocation.x] = 1.0 }",
      "y[invocation.y * 2 + invocation.x] = 1.0", 2,
      {"invocation (1, 3, 0) writes element 7 of buffer 'y', which has 7"});
  expect_error(
      "program p { buffer y: u32[3] read_write  grid 1\n"
      "\n"
      "atomic y[invocation.x - 1] += 1 }",
      "atomic y[invocation.x - 1] += 1", 3,
      {"atomically adds to element 4294967295 of buffer 'y', which has 3"});
  expect_error(
      "program p { buffer y: u32[6] write  shared s: u32[2]  grid 1  workgroup 1\n"
      "y[3 : 4] = splat4(1) }",
      "y[3 : 4] = splat4(1)", 2, {"writes elements 3 to 6 of buffer 'y', which has 6"});
  expect_error(
      "program p { shared s: u32[2]  grid 1  workgroup 1\n"
      "s[2] = 1 }",
      "s[2] = 1", 2, {"writes element 2 of shared buffer 's', which has 2"});
}

TEST(Fault, AVectorThatWrapsAroundIsOutOfBounds) {
  expect_error(
      "program p { buffer y: u32[6] read_write  grid 1  workgroup 1\n"
      "if y[4294967295 : 2].1 == 0 { } }",
      "if y[4294967295 : 2].1 == 0 { ... }", 2, {"reads elements 4294967295 to 4294967296"});
}

TEST(Fault, AConditionOrBoundThatFaultsNamesItsStatement) {
  expect_error(
      "program p { buffer y: u32[6] read  grid 9\n"
      "for k in 0 .. y[invocation.x] { let a = 1 } }",
      "for k in 0 .. y[invocation.x] { ... }", 2, {"invocation (6, 0, 0) reads element 6"});
}

TEST(Fault, AProgramWithoutTextStillNamesItsStatement) {
  ir::Program program{.name = "built", .workgroup = {1, 1, 1}};
  program.buffers.push_back({"y", Scalar::u32, ir::literal(1U), Access::write});
  program.body.push_back({ir::Store{"y", ir::literal(5U), ir::literal(1U)}});
  std::vector<std::byte> bytes(4);
  const std::vector<std::span<std::byte>> buffers = {bytes};
  const auto ran = run(program, {}, buffers);
  ASSERT_FALSE(ran.has_value());
  EXPECT_FALSE(ran.error().place.known());
  EXPECT_EQ(ran.error().message.find("`y[5] = 1`"), 0U) << ran.error().message;
}

TEST(Fault, TwoInvocationsThatStoreToOneElementRace) {
  expect_error(
      "program p { buffer y: u32[9] write  grid 4\n"
      "y[invocation.x / 2] = 7 }",
      "y[invocation.x / 2] = 7", 2,
      {"invocation (1, 0, 0) writes element 0 of buffer 'y', which invocation (0, 0, 0) wrote"});
}

TEST(Fault, AReadAndAWriteOfOneElementRaceInEitherOrder) {
  expect_error(
      "program p { buffer y: u32[4] read_write  grid 4\n"
      "let i = invocation.x\n"
      "y[i] = 1\n"
      "let next = y[(i + 1) % 4] }",
      "let next = y[(i + 1) % 4]", 4,
      {"invocation (0, 0, 0) reads element 1 of buffer 'y', which invocation (1, 0, 0) wrote"});
  expect_error(
      "program p { buffer y: u32[4] read_write  grid 4\n"
      "let i = invocation.x\n"
      "let next = y[(i + 1) % 4]\n"
      "y[i] = next }",
      "y[i] = next", 4,
      {"invocation (0, 0, 0) writes element 0 of buffer 'y', which invocation (3, 0, 0) read"});
}

TEST(Fault, TheFirstOfSeveralReadersIsNotForgottenWhenTheLastOneWrites) {
  expect_error(
      "program p { buffer y: u32[1] read_write  shared s: u32[1]  grid 2  workgroup 2\n"
      "let seen = y[0]\n"
      "if local.x == 1 { y[0] = seen } }",
      "y[0] = seen", 3, {"invocation (1, 0, 0) writes element 0", "several invocations read"});
}

TEST(Fault, SharedMemoryRacesWithinAnEpoch) {
  expect_error(
      "program p { shared s: u32[4]  grid 8  workgroup 4\n"
      "s[local.x] = 1\n"
      "barrier\n"
      "let a = s[0]\n"
      "if local.x == 3 { s[0] = a } }",
      "s[0] = a", 5, {"invocation (3, 0, 0) writes element 0 of shared buffer 's'"});
}

TEST(Fault, ABarrierInALoopIsMissedOnTheWayBack) {
  // The read of one round and the write of the next have no barrier between them.
  expect_error(
      "program p { shared s: u32[2]  grid 2  workgroup 2\n"
      "var sum = 0\n"
      "for k in 0 .. 2 {\n"
      "  s[local.x] = k\n"
      "  barrier\n"
      "  sum = sum + s[1 - local.x]\n"
      "} }",
      "s[local.x] = k", 4,
      {"invocation (0, 0, 0) writes element 0 of shared buffer 's', which invocation (1, 0, 0) "
       "read"});
}

TEST(Fault, BarriersDoNotOrderGroups) {
  expect_error(
      "program p { buffer y: u32[4] read_write  grid 8  workgroup 4\n"
      "y[local.x] = 1\n"
      "barrier }",
      "y[local.x] = 1", 2,
      {"invocation (4, 0, 0) writes element 0", "an invocation of another group wrote"});
  expect_error(
      "program p { buffer y: u32[8] read_write  grid 8  workgroup 4\n"
      "let seen = y[0]\n"
      "barrier\n"
      "if invocation.x == 4 { y[0] = 1 } }",
      "y[0] = 1", 4, {"invocation (4, 0, 0) writes element 0", "invocations of several groups"});
  expect_error(
      "program p { buffer y: u32[8] read_write  grid 8  workgroup 4\n"
      "if group.x == 0 { let seen = y[4] }\n"
      "barrier\n"
      "y[invocation.x] = 1 }",
      "y[invocation.x] = 1", 4,
      {"invocation (4, 0, 0) writes element 4", "which invocations of another group read"});
}

TEST(Fault, DistantInvocationsRaceToo) {
  expect_error(
      "program p { buffer y: u32[100000] write  grid 100001\n"
      "y[invocation.x % 100000] = 1 }",
      "y[invocation.x % 100000] = 1", 2,
      {"invocation (100000, 0, 0) writes element 0 of buffer 'y', which invocation (0, 0, 0) "
       "wrote"});
}

TEST(Fault, AtomicsRaceWithPlainAccessesButNotWithEachOther) {
  expect_error(
      "program p { buffer n: u32[1] read_write  grid 4\n"
      "atomic n[0] += 1\n"
      "let seen = n[0] }",
      "let seen = n[0]", 3,
      {"invocation (0, 0, 0) reads element 0 of buffer 'n', which several invocations atomically"});
  expect_error(
      "program p { buffer n: u32[1] read_write  grid 4\n"
      "if invocation.x == 2 { n[0] = 1 }\n"
      "atomic n[0] += 1 }",
      "atomic n[0] += 1", 3, {"invocation (0, 0, 0)", "which invocation (2, 0, 0) wrote"});
  expect_error(
      "program p { buffer n: u32[1] read_write  grid 8  workgroup 4\n"
      "atomic n[0] += 1\n"
      "barrier\n"
      "if invocation.x == 5 { let seen = n[0] } }",
      "let seen = n[0]", 4, {"invocation (5, 0, 0) reads", "invocations of several groups"});
}

TEST(Fault, WhatIsOrderedOrAloneDoesNotRace) {
  for (const char* body : {
           // One invocation may do as it likes with its own element.
           "y[i] = y[i] + 1  y[i] = 2  atomic y[i] += y[i]",
           // All may read.
           "let a = y[0]  let b = y[i]",
           // A barrier hands an element over within the group.
           "y[i] = 1  barrier  y[i ^ 1] = y[i ^ 1] + 1  barrier  let c = y[i ^ 2]",
           // Atomics, then a barrier, then reads.
           "atomic y[group.x * 4] += 1  barrier  let d = y[group.x * 4]",
       }) {
    Launch launch(std::string("program p { buffer y: u32[16] read_write  grid 16  workgroup 4\n"
                              "let i = invocation.x\n") +
                  body + "}");
    const auto ran = launch.try_run();
    EXPECT_TRUE(ran.has_value()) << body << "\n" << ran.error().message;
  }
}

TEST(Fault, ADivergentBarrierNamesWhoWaitsAndWhoDoesNot) {
  expect_error(
      "program p { grid 8  workgroup 4\n"
      "if local.x > 1 {\n"
      "  barrier\n"
      "} }",
      "barrier", 3,
      {"only 2 of the group's 4", "invocation (2, 0, 0) waits", "invocation (0, 0, 0) does not"});
  expect_error(
      "program p { grid 4  workgroup 4\n"
      "for k in 0 .. 4 - local.x { barrier } }",
      "barrier", 2,
      {"only 3 of the group's 4", "invocation (0, 0, 0) waits", "invocation (3, 0, 0) does not"});
  expect_error(
      "program p { grid 4  workgroup 4\n"
      "if local.x % 2 == 0 { barrier } else { barrier } }",
      "barrier", 2, {"only 2 of the group's 4", "invocation (1, 0, 0) does not"});
}

TEST(Fault, ABarrierThatAllOrNoneReachIsFine) {
  Launch launch(
      "program p { grid 8  workgroup 4\n"
      "if group.x == 1 { barrier }\n"
      "for k in 0 .. group.x { barrier } }");
  EXPECT_TRUE(launch.try_run().has_value());
}

TEST(Fault, SharedMemoryIsUndefinedUntilItsGroupWritesIt) {
  expect_error(
      "program p { shared s: f32[4]  buffer y: f32[4] write  grid 4  workgroup 4\n"
      "if local.x < 2 { s[local.x] = 1.0 }\n"
      "barrier\n"
      "y[local.x] = s[3 - local.x] }",
      "y[local.x] = s[3 - local.x]", 4,
      {"invocation (0, 0, 0) reads element 3 of shared buffer 's', which its group has not"});
  expect_error(
      "program p { shared s: u32[1]  grid 4  workgroup 4\n"
      "atomic s[0] += 1 }",
      "atomic s[0] += 1", 2, {"invocation (0, 0, 0)", "has not written"});
  // The first group's writes do not count for the second.
  expect_error(
      "program p { shared s: u32[1]  grid 2  workgroup 1\n"
      "if group.x == 0 { s[0] = 1 }\n"
      "let a = s[0] }",
      "let a = s[0]", 3, {"invocation (1, 0, 0) reads element 0"});
}

}  // namespace
}  // namespace vyre::interpret
