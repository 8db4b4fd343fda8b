#include <gtest/gtest.h>

#include <random>

#include "base/fixed.h"
#include "primitives/natural_gradient_program.h"
#include "primitives/suite.h"
#include "support/allocations.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

constexpr std::uint32_t size = 20;

using Fixed = std::vector<std::int32_t>;

Fixed random_fixed(std::size_t count, std::uint32_t seed, int shift) {
  std::mt19937 random(seed);
  Fixed values(count);
  for (std::int32_t& value : values) value = static_cast<std::int32_t>(random()) >> shift;
  return values;
}

template <class T>
Case case_of(std::string name, Scalar element, std::vector<T> w, std::vector<T> g) {
  const NaturalGradientOptions options{.n = size, .element = element};
  return {.name = std::move(name),
          .programs = {good(natural_gradient_program(options))},
          .run = [=](device::Device& device) -> Result<std::vector<double>> {
            auto apply = NaturalGradient::make(device, options);
            if (!apply) return Unexpected(apply.error());
            std::vector<T> out(size);
            if (auto done = (*apply)(w, g, out); !done) return Unexpected(done.error());
            return doubles(out);
          },
          .expected = std::vector<double>(size)};
}

}  // namespace

std::vector<Case> natural_gradient_cases() {
  const auto w = random_floats(size * size, 1);
  const auto g = random_floats(size, 2);
  Case floats = case_of("natural_gradient", Scalar::f32, w, g);
  natural_gradient_reference(doubles(w), doubles(g), floats.expected);
  floats.tolerance = 1e-6;

  const Fixed wide = random_fixed(size * size, 3, 8);
  const Fixed weights = random_fixed(size, 4, 10);
  Case fixed = case_of("natural_gradient_fixed", Scalar::i32, wide, weights);
  Fixed out(size);
  natural_gradient_reference(wide, weights, out);
  fixed.expected = doubles(out);
  return {floats, fixed};
}

namespace {

TEST(NaturalGradient, OfTheIdentityIsTheGradient) {
  const auto device = testing::opened("opencl");
  auto apply = good(NaturalGradient::make(*device, {.n = 2, .element = Scalar::i32}));
  const Fixed identity = {fixed_one, 0, 0, fixed_one};
  for (const Fixed& g : {Fixed{655360, -1}, Fixed{INT32_MIN, INT32_MAX}}) {
    Fixed out(2);
    good(apply(identity, g, out));
    EXPECT_EQ(out, g);
  }
}

TEST(NaturalGradient, HalvesWhatTheMatrixHalves) {
  const auto device = testing::opened("opencl");
  auto fixed = good(NaturalGradient::make(*device, {.n = 2, .element = Scalar::i32}));
  Fixed out(2);
  good(fixed(Fixed{to_fixed(1), 0, 0, to_fixed(0.5)}, Fixed{to_fixed(10), to_fixed(10)}, out));
  EXPECT_EQ(out, (Fixed{to_fixed(10), to_fixed(5)}));

  auto floats = good(NaturalGradient::make(*device, {.n = 2}));
  std::vector<float> natural(2);
  good(floats(std::vector<float>{1, 0, 0, 0.5F}, std::vector<float>{10, 10}, natural));
  EXPECT_EQ(natural, (std::vector<float>{10, 5}));
}

TEST(NaturalGradient, StepsAgainstItAndARateOfZeroDoesNotMove) {
  const auto device = testing::opened("opencl");
  auto fixed = good(NaturalGradient::make(*device, {.n = 2, .element = Scalar::i32}));
  const Fixed w = {to_fixed(1), 0, 0, to_fixed(0.5)};
  const Fixed g = {to_fixed(10), to_fixed(-10)};
  Fixed out(2);
  good(fixed.step(to_fixed(0.5), w, g, out));
  EXPECT_EQ(out, (Fixed{to_fixed(-5), to_fixed(2.5)}));
  good(fixed.step(0, w, g, out));
  EXPECT_EQ(out, (Fixed{0, 0}));
  good(fixed(w, g, out));
  EXPECT_EQ(out, (Fixed{to_fixed(10), to_fixed(-5)})) << "the rate of a step is not kept";

  auto floats = good(NaturalGradient::make(*device, {.n = 2}));
  std::vector<float> step(2);
  good(floats.step(0, std::vector<float>{1, 0, 0, 1}, std::vector<float>{3, 4}, step));
  EXPECT_EQ(step, (std::vector<float>{0, 0}));
}

TEST(NaturalGradient, SaturatesTheSumAndNotItsTerms) {
  const auto device = testing::opened("opencl");
  auto apply = good(NaturalGradient::make(*device, {.n = 2, .element = Scalar::i32}));
  const Fixed w = {to_fixed(30000), to_fixed(-30000), to_fixed(30000), to_fixed(30000)};
  Fixed out(2);
  good(apply(w, Fixed{to_fixed(2), to_fixed(2)}, out));
  EXPECT_EQ(out, (Fixed{0, INT32_MAX}));
}

TEST(NaturalGradient, RefusesBadInputByNameAndNumber) {
  EXPECT_EQ(message_of(natural_gradient_program({.n = 0})),
            "natural_gradient_apply: n is 0; it must be at least 1");
  EXPECT_EQ(message_of(natural_gradient_program({.n = 65536})),
            "natural_gradient_apply: n * n = 65536 * 65536 elements is over 4294967295");
  const auto device = testing::opened("reference");
  auto apply = good(NaturalGradient::make(*device, {.n = 2}));
  std::vector<float> four(4);
  std::vector<float> two(2);
  EXPECT_EQ(message_of(apply(two, two, two)),
            "natural_gradient_apply: w has 2 elements; it must have 4");
  EXPECT_EQ(message_of(apply(four, two, four)),
            "natural_gradient_apply: out has 4 elements; it must have 2");
  Fixed wrong(4);
  EXPECT_EQ(message_of(apply(wrong, wrong, wrong)), "natural_gradient_apply: w holds f32, not i32");
  four[3] = NAN;
  EXPECT_EQ(message_of(apply(four, two, two)),
            "natural_gradient_apply: w[3] is nan; it must be finite");
}

TEST(NaturalGradient, AllocatesNothingOnceItIsMade) {
  testing::CountingDevice device(testing::opened("opencl"));
  auto apply = good(NaturalGradient::make(device, {.n = 2}));
  const std::vector<float> w(4, 1);
  const std::vector<float> g(2, 1);
  std::vector<float> out(2);
  EXPECT_EQ(testing::steady_allocations(device, [&] { good(apply.step(0.5F, w, g, out)); }), 0U);
}

}  // namespace
}  // namespace vyre::primitives
