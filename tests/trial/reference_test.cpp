#include "trial/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "support/programs.h"
#include "support/worker.h"
#include "trial/verify.h"

namespace vyre::trial {
namespace {

using testing::data_of;
using testing::parsed;

// A row of 64 numbers for each invocation.
std::string sums(const char* mark) {
  return std::string(
             "program sums {\n  uniform n: u32 = 256\n  buffer x: f32[n * 64] read\n"
             "  buffer y: f32[n] write\n  grid n\n") +
         mark +
         "  var s = 0.0\n  for k in 0 .. 64 { s = s + x[invocation.x * 64 + k] }\n"
         "  y[invocation.x] = s\n}\n";
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(std::sin(static_cast<float>(i * i)));
  return made;
}

// Each row added up by a plain loop, forwards or backwards.
std::vector<float> row_sums(const std::vector<float>& x, bool backwards) {
  std::vector<float> made(x.size() / 64);
  for (std::size_t i = 0; i < made.size(); ++i) {
    for (std::size_t k = 0; k < 64; ++k) made[i] += x[i * 64 + (backwards ? 63 - k : k)];
  }
  return made;
}

worker::Output output_of(const std::vector<float>& y) {
  return {.timing = {}, .buffers = {{}, {.bytes = *data_of(y)}}};
}

class Sums : public ::testing::Test {
 protected:
  [[nodiscard]] Reference reference(const char* mark, std::uint64_t steps = all_steps) const {
    return Reference::make({parsed(sums(mark)), {}}, {data_of(x), data_of(std::vector<float>(256))},
                           {.steps = steps})
        .value();
  }

  const std::vector<float> x = numbers(256 * 64);
  const std::vector<float> forwards = row_sums(x, false);
  const std::vector<float> backwards = row_sums(x, true);
};

TEST_F(Sums, InTheOrderThatIsWrittenAreHeldToTheBit) {
  const auto expected = reference("").expected(output_of(forwards));
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(wrong_elements(expected->front(), *data_of(forwards)), "");
  EXPECT_NE(wrong_elements(expected->front(), *data_of(backwards)), "");
}

TEST_F(Sums, ThatMayBeReorderedAreHeldToTheErrorOfTheProgramAsItIs) {
  const auto expected = reference("  reassociate\n").expected(output_of(forwards));
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(wrong_elements(expected->front(), *data_of(backwards)), "");
  std::vector<float> off = forwards;
  off[17] += 1e-3F;
  EXPECT_TRUE(wrong_elements(expected->front(), *data_of(off)).starts_with("element 17 is"));
}

TEST_F(Sums, OfADeviceThatAreNotWhatTheInterpreterSaysAreAnError) {
  std::vector<float> wrong = forwards;
  wrong[200] = 7;
  for (const char* mark : {"", "  reassociate\n"}) {
    const auto expected = reference(mark).expected(output_of(wrong));
    ASSERT_FALSE(expected);
    EXPECT_TRUE(expected.error().message.starts_with("buffer 'y': element 200 is 7"));
  }
}

// 30 of 256 invocations at the most.
TEST_F(Sums, AreComparedOnAPartOfTheGridWhereAllWouldTakeTooLong) {
  const Reference part = reference("  reassociate\n", 6000);
  std::vector<float> zeros(256);
  EXPECT_FALSE(part.expected(output_of(zeros)));
  const auto expected = part.expected(output_of(forwards));
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(*expected->front().content, *data_of(forwards));
  EXPECT_EQ(wrong_elements(expected->front(), *data_of(backwards)), "");
  EXPECT_TRUE(part.rule(*expected).contains("from all over the grid")) << part.rule(*expected);
}

// An f16 is about 1e-3 of its value apart from the next, however exactly its sum is known.
TEST_F(Sums, StoredAsHalvesAreHeldToThePrecisionOfHalves) {
  std::string text = sums("  reassociate\n");
  text.replace(text.find("y: f32"), 6, "y: f16");
  const auto made = Reference::make(
      {parsed(text), {}}, {data_of(x), data_of(std::vector<Half>(256))}, {.steps = all_steps});
  ASSERT_TRUE(made) << made.error().message;
  const std::vector<Half> stored(forwards.begin(), forwards.end());
  const worker::Output output = {.timing = {}, .buffers = {{}, {.bytes = *data_of(stored)}}};
  const auto expected = made->expected(output);
  ASSERT_TRUE(expected) << expected.error().message;
  const std::vector<Half> other(backwards.begin(), backwards.end());
  EXPECT_EQ(wrong_elements(expected->front(), *data_of(other)), "");
  std::vector<Half> off = stored;
  off[17] = off[17] + 1.0F;
  EXPECT_TRUE(wrong_elements(expected->front(), *data_of(off)).starts_with("element 17 is"));
}

TEST_F(Sums, WithATolerantCallerMayBeThatFarOff) {
  const auto made =
      Reference::make({parsed(sums("")), {}}, {data_of(x), data_of(std::vector<float>(256))},
                      {.tolerance = Tolerance{.absolute = 0.1}});
  ASSERT_TRUE(made);
  std::vector<float> off = forwards;
  off[3] += 0.05F;
  const auto expected = made->expected(output_of(off));
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(wrong_elements(expected->front(), *data_of(forwards)), "");
}

// The error of such a sum in f64 is about 1e-15, known from its error in f32.
TEST(Reference, HoldsF64ToItsOwnPrecision) {
  std::string text = sums("  reassociate\n");
  for (std::size_t at = 0; (at = text.find("f32", at)) != std::string::npos;)
    text[at + 1] = '6', text[at + 2] = '4';
  text.replace(text.find("0.0"), 3, "0.0d");
  std::vector<double> x(256 * 64), y(256);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i * i));
  for (std::size_t i = 0; i < x.size(); ++i) y[i / 64] += x[i];
  const auto made = Reference::make({parsed(text), {}}, {data_of(x), data_of(y)}, {});
  ASSERT_TRUE(made) << made.error().message;
  const auto expected = made->expected({.timing = {}, .buffers = {{}, {.bytes = *data_of(y)}}});
  ASSERT_TRUE(expected) << expected.error().message;
  std::vector<double> off = y;
  off[9] += 1e-15;
  EXPECT_EQ(wrong_elements(expected->front(), *data_of(off)), "");
  off[9] += 1e-10;
  EXPECT_NE(wrong_elements(expected->front(), *data_of(off)), "");
}

// What every invocation adds to cannot be known from a few of them.
TEST(Reference, InterpretsAllOrNothingWhereInvocationsAddToOneElement) {
  const auto program = parsed(
      "program count {\n  buffer x: u32[4096] read\n  buffer n: u32[1] read_write\n  grid 4096\n"
      "  atomic n[0] += x[invocation.x]\n}\n");
  const std::vector<worker::Data> buffers = {data_of(std::vector<std::uint32_t>(4096, 2)),
                                             data_of(std::vector<std::uint32_t>(1, 0))};
  const auto output = [](std::uint32_t sum) {
    return worker::Output{.timing = {},
                          .buffers = {{}, {.bytes = *data_of(std::vector<std::uint32_t>{sum})}}};
  };
  const auto whole = Reference::make({program, {}}, buffers, {.steps = 100'000});
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->expected(output(8192)));
  EXPECT_FALSE(whole->expected(output(8190)));
  const auto none = Reference::make({program, {}}, buffers, {.steps = 100});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->expected(output(8190)));
}

// The error of one order may be none by chance; that of another is not.
TEST(Reference, LetsSumsOfFloatsComeInAnyOrder) {
  const auto program = parsed(
      "program sum {\n  buffer x: f32[4096] read\n  buffer s: f32[1] read_write\n  grid 4096\n"
      "  reassociate\n  atomic s[0] += x[invocation.x]\n}\n");
  const std::vector<worker::Data> buffers = {data_of(std::vector<float>(4096, 2.0F)),
                                             data_of(std::vector<float>(1, 0.0F))};
  const auto output = [](float sum) {
    return worker::Output{.timing = {},
                          .buffers = {{}, {.bytes = *data_of(std::vector<float>{sum})}}};
  };
  for (const std::uint64_t steps : {100U, 100'000U}) {
    const auto made = Reference::make({program, {}}, buffers, {.steps = steps});
    ASSERT_TRUE(made) << made.error().message;
    const auto expected = made->expected(output(8192));
    ASSERT_TRUE(expected) << expected.error().message;
    EXPECT_EQ(wrong_elements(expected->front(), *data_of(std::vector<float>{8192.05F})), "");
    EXPECT_NE(wrong_elements(expected->front(), *data_of(std::vector<float>{8192.5F})), "");
  }
}

}  // namespace
}  // namespace vyre::trial
