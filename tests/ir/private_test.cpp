// Private buffers: their text, rules, facts and names.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/facts.h"
#include "support/programs.h"
#include "vyre/ir/build.h"
#include "vyre/ir/compose.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::parsed;
using testing::problems_of;

constexpr std::string_view window = R"(program window {
  uniform n: u32 = 8
  buffer x: f32[n] read
  buffer y: f32[n] write
  private own: f32[n / 2]
  grid n
  workgroup 64

  own[0] = x[invocation.x]
  y[invocation.x] = own[0]
}
)";

std::string with(std::string_view declaration, std::string_view statement) {
  return fmt::format("program p {{\n{}\ngrid 4\n{}\n}}", declaration, statement);
}

std::string problem(std::string_view declaration, std::string_view statement) {
  return to_string(problems_of(with(declaration, statement)).at(0));
}

TEST(PrivateBuffer, IsDeclaredWithASizeAndPrintedAsItWasWritten) {
  const Program program = parsed(window);
  EXPECT_EQ(program.buffers[2].memory, Memory::own);
  EXPECT_EQ(program.buffers[2].access, Access::read_write);
  EXPECT_EQ(print(program), window);
}

TEST(PrivateBuffer, IsMadeByABuilderToo) {
  Builder k("window");
  const Value n = k.uniform("n", 8U);
  const BufferRef x = k.read("x", Scalar::f32, n);
  const BufferRef y = k.write("y", Scalar::f32, n);
  const BufferRef own = k.private_buffer("own", Scalar::f32, n / 2);
  k.grid(n);
  own[0] = x[invocation(0)];
  y[invocation(0)] = own[0];
  EXPECT_EQ(k.finish().value(), parsed(window));
}

TEST(PrivateBuffer, HasNoAtomics) {
  EXPECT_EQ(problem("private own: u32[4]", "atomic own[0] += 1"),
            "4:1: 'own' is private, so nobody else adds to it: write `own[...] += ...` without "
            "atomic");
}

TEST(PrivateBuffer, StandsBeforeTheStatements) {
  EXPECT_EQ(problem("buffer y: u32[4] write", "y[0] = 1\nprivate own: u32[4]"),
            "5:1: 'private' must stand before the first statement");
}

TEST(PrivateBuffer, IsSmall) {
  EXPECT_TRUE(parse(with("private a: f64[4000] private b: u32[96]", "a[0] = 1.0d")));
  EXPECT_EQ(problem("private a: f64[4000]\nprivate b: u32[97]", "a[0] = 1.0d"),
            "3:9: with 'b', an invocation has 4097 elements of its own; at most 4096 are accepted: "
            "make private buffers smaller, or use a buffer");
}

TEST(PrivateBuffer, IsNotMemoryThatIsMoved) {
  const Facts f = facts(parsed(window)).value();
  EXPECT_EQ(f, (Facts{.loads = 8,
                      .stores = 8,
                      .global_bytes_read = 32,
                      .global_bytes_written = 32,
                      .invocations = 8}));
}

TEST(PrivateBuffer, CannotBeSeenFromOutsideByItsName) {
  std::string other(window);
  for (std::size_t at = other.find("own"); at != std::string::npos; at = other.find("own", at)) {
    other.replace(at, 3, "mine");
  }
  EXPECT_EQ(fingerprint(parsed(other)), fingerprint(parsed(window)));
  std::string shared(window);
  shared.replace(shared.find("private"), 7, "shared");
  EXPECT_NE(fingerprint(parsed(shared)), fingerprint(parsed(window)));
}

TEST(PrivateBuffer, IsKeptApartFromOneOfTheSameNameInAComposition) {
  const std::vector<Program> parts = {parsed(with("buffer x: u32[4] write private own: u32[2]",
                                                  "own[1] = 1 x[invocation.x] = own[1]")),
                                      parsed(with("buffer y: u32[4] write private own: f32[1]",
                                                  "own[0] = 1.0 y[invocation.x] = 2"))};
  const Program whole = compose("both", parts).value().program;
  ASSERT_EQ(whole.buffers.size(), 4U);
  EXPECT_EQ(parsed(print(whole)), whole);
  EXPECT_EQ(whole.buffers[2].memory, Memory::own);
  EXPECT_NE(whole.buffers[2].name, whole.buffers[3].name);
}

}  // namespace
}  // namespace vyre::ir
