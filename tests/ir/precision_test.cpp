#include "ir/precision.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::parsed;

constexpr const char* in_f32 = R"(program p {
  uniform n: u32 = 8
  uniform a: f32 = 0.5
  buffer x: f32[n] read
  buffer y: f32[n] write
  shared s: f32[4]
  grid n
  workgroup 4

  let i = invocation.x
  var sum = fma(a, x[i], 0.25)
  s[local.x] = sum
  barrier
  let v = splat4(sum) + f32([i, i, i, i])
  y[i] = max(v).0
}
)";

std::string with(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(Precision, ChangesEveryFloatOfAProgram) {
  std::string text = with(in_f32, "max(v).0", "max(v)");
  const Program program = parsed(text);
  text = with(with(with(text, "f32", "f64"), "0.5", "0.5d"), "0.25", "0.25d");
  const auto made = in_precision(program, Scalar::f32, Scalar::f64);
  ASSERT_TRUE(made);
  EXPECT_EQ(print(*made), print(parsed(text)));
  const auto back = in_precision(*made, Scalar::f64, Scalar::f32);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, program);
}

TEST(Precision, HalvesBecomeF64WithTheFloatsThatTheyAreLoadedAs) {
  const std::string text =
      "program p {\n  buffer x: f16[4] read\n  buffer y: f16[4] write\n  buffer d: f64[4] write\n"
      "  grid 4\n  let i = invocation.x\n  y[i] = x[i] * 2.0\n  d[i] = 1.0d\n}\n";
  const auto made = in_precision(parsed(text), Scalar::f32, Scalar::f64);
  ASSERT_TRUE(made);
  EXPECT_EQ(print(*made), print(parsed(with(with(text, "f16", "f64"), "2.0", "2.0d"))));
  const auto other = in_precision(parsed(text), Scalar::f64, Scalar::f32);
  ASSERT_TRUE(other);
  EXPECT_EQ(print(*other), print(parsed(with(with(text, "f64", "f32"), "1.0d", "1.0"))));
}

TEST(Precision, ChangesTheValuesOfUniforms) {
  const Uniforms given = {{"a", Literal{Scalar::f32, 0x3fc00000U}}, {"n", Literal{Scalar::u32, 4}}};
  const Uniforms made = in_precision(given, Scalar::f32, Scalar::f64);
  EXPECT_EQ(made.at("a"), (Literal{Scalar::f64, 0x3ff8000000000000U}));
  EXPECT_EQ(made.at("n"), given.at("n"));
}

TEST(Precision, OfAProgramThatLooksAtBitsCannotBeChanged) {
  const Program program = parsed(
      "program p {\n  buffer x: f32[4] read\n  buffer y: u32[4] write\n  grid 4\n"
      "  y[invocation.x] = as_u32(x[invocation.x])\n}\n");
  EXPECT_FALSE(in_precision(program, Scalar::f32, Scalar::f64));
}

}  // namespace
}  // namespace vyre::ir
