#include <gtest/gtest.h>

#include <random>

#include "base/fixed.h"
#include "primitives/sheaf_programs.h"
#include "primitives/sheaf_reference.h"
#include "primitives/suite.h"
#include "support/allocations.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

using Fixed = std::vector<std::int32_t>;

Fixed random_fixed(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Fixed values(count);
  for (std::int32_t& value : values) value = static_cast<std::int32_t>(random()) >> random() % 31;
  return values;
}

}  // namespace

std::vector<Case> sheaf_diagonal_cases() {
  constexpr std::uint32_t cells = 1000;
  constexpr std::int32_t damping = 0x2A5A5;
  const Fixed stalks = random_fixed(cells, 1);
  const Fixed restriction = random_fixed(cells, 2);
  Fixed expected(cells);
  sheaf_diagonal_reference(stalks, restriction, damping, expected);
  return {{.name = "sheaf_diagonal",
           .programs = {good(sheaf_diagonal_program(cells)), good(sheaf_flags_program(cells))},
           .run = [=](device::Device& device) -> Result<std::vector<double>> {
             auto diffuse = SheafDiagonal::make(device, cells);
             if (!diffuse) return Unexpected(diffuse.error());
             Fixed out(cells);
             if (auto done = (*diffuse)(stalks, restriction, damping, out); !done) {
               return Unexpected(done.error());
             }
             return doubles(out);
           },
           .expected = doubles(expected)}};
}

namespace {

constexpr std::int32_t one = fixed_one;

TEST(SheafDiagonal, HalvesStalksAtHalfDampingAndHoldsThemAtNone) {
  const auto device = testing::opened("opencl");
  auto diffuse = good(SheafDiagonal::make(*device, 2));
  const Fixed stalks = {10 * one, 20 * one};
  Fixed out(2);
  good(diffuse(stalks, Fixed{one, one}, one / 2, out));
  EXPECT_EQ(out, (Fixed{5 * one, 10 * one}));
  good(diffuse(stalks, Fixed{one, one}, 0, out));
  EXPECT_EQ(out, stalks);
}

TEST(SheafDiagonal, IsTheExactFormulaToAFewUnits) {
  const Fixed stalks = {3 * one, -7 * one, one / 3};
  const Fixed restriction = {one / 2, one / 5, -one};
  Fixed out(3);
  sheaf_diagonal_reference(stalks, restriction, one / 4, out);
  std::vector<double> exact(3);
  sheaf_diagonal_reference(std::vector<double>{3, -7, 1 / 3.0}, std::vector<double>{0.5, 0.2, -1},
                           0.25, exact);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(from_fixed(out[i]), exact[i], 1e-4);
}

TEST(SheafDiagonal, SaturatesInsteadOfWrapping) {
  const auto device = testing::opened("opencl");
  auto diffuse = good(SheafDiagonal::make(*device, 2));
  Fixed out(2);
  good(diffuse(Fixed{INT32_MAX, INT32_MIN}, Fixed{-one, -one}, one, out));
  EXPECT_EQ(out, (Fixed{INT32_MAX, INT32_MIN}));
  good(diffuse(Fixed{INT32_MAX, INT32_MIN}, Fixed{INT32_MAX, INT32_MAX}, INT32_MAX, out));
  EXPECT_EQ(out, (Fixed{0, 0})) << "the flow saturates at the ends too: MAX - MAX, MIN - MIN";
}

TEST(SheafDiagonal, ReachesEquilibriumInTheNumberOfHalvingsThatTheToleranceAllows) {
  const auto device = testing::opened("opencl");
  auto diffuse = good(SheafDiagonal::make(*device, 2));
  const Fixed ones = {one, one};
  Fixed out(2);
  // 1024 -> 512 -> ... : step k changes by 1024 / 2^k, which is within 16 at k = 6.
  auto reached = good(diffuse.equilibrium(Fixed{1024 * one, one}, ones, one / 2, out,
                                          {.tolerance = 16 * one, .max_iters = 50}));
  EXPECT_EQ(reached.iterations, 6U);
  EXPECT_TRUE(reached.converged);
  EXPECT_EQ(out, (Fixed{16 * one, one / 64}));

  reached = good(diffuse.equilibrium(Fixed{1024 * one, one}, ones, one / 2, out,
                                     {.tolerance = 16 * one, .max_iters = 5}));
  EXPECT_EQ(reached.iterations, 5U);
  EXPECT_FALSE(reached.converged);

  reached = good(diffuse.equilibrium(Fixed{1024 * one, one}, ones, 0, out));
  EXPECT_EQ(reached.iterations, 1U);
  EXPECT_TRUE(reached.converged);

  reached = good(diffuse.equilibrium(ones, ones, one / 2, out, {.max_iters = 0}));
  EXPECT_EQ(reached.iterations, 0U);
  EXPECT_EQ(out, ones);
}

TEST(SheafDiagonal, FlagsCellsThatMovedByMoreThanTheThreshold) {
  const auto device = testing::opened("opencl");
  auto diffuse = good(SheafDiagonal::make(*device, 2));
  std::vector<std::uint32_t> flags(2);
  good(diffuse.flags(Fixed{10, 10}, Fixed{5, 16}, 5, flags));
  EXPECT_EQ(flags, (std::vector<std::uint32_t>{0, 1}));
  good(diffuse.flags(Fixed{INT32_MIN, 0}, Fixed{INT32_MAX, 0}, 0xFFFFFFFE, flags));
  EXPECT_EQ(flags, (std::vector<std::uint32_t>{1, 0}));
}

// Q16.16 rounds down at each of three operations, so a step is off by at most three units.
TEST(SheafDiagonal, ReachesTheEquilibriumAndFlagsOfTheReference) {
  constexpr std::uint32_t cells = 40;
  std::mt19937 random(7);
  Fixed stalks(cells);
  Fixed restriction(cells);
  for (std::int32_t& value : stalks)
    value = static_cast<std::int32_t>(random() % (200 * one)) - 100 * one;
  for (std::int32_t& value : restriction)
    value = one / 4 + static_cast<std::int32_t>(random() % (one / 2));
  std::vector<double> exact(cells);
  const auto real = [](const Fixed& values) {
    std::vector<double> made;
    for (const std::int32_t value : values) made.push_back(from_fixed(value));
    return made;
  };
  const EquilibriumOptions options{.tolerance = one / 8, .max_iters = 200};
  const auto expected =
      good(sheaf_equilibrium_reference(real(stalks), real(restriction), 0.5, exact, options));
  EXPECT_TRUE(expected.converged);
  std::vector<std::uint32_t> exact_flags(cells);
  good(sheaf_diagonal_flags_reference(real(stalks), exact, 30, exact_flags));
  for (const std::string_view which : {"reference", "opencl"}) {
    const auto device = testing::opened(which);
    auto diffuse = good(SheafDiagonal::make(*device, cells));
    Fixed out(cells);
    const auto reached = good(diffuse.equilibrium(stalks, restriction, one / 2, out, options));
    EXPECT_EQ(reached.iterations, expected.iterations);
    EXPECT_TRUE(reached.converged);
    for (std::size_t i = 0; i < cells; ++i) {
      EXPECT_NEAR(from_fixed(out[i]), exact[i], 3.0 * reached.iterations / one);
    }
    std::vector<std::uint32_t> flags(cells);
    good(diffuse.flags(stalks, out, 30 * one, flags));
    EXPECT_EQ(flags, exact_flags);
  }
}

TEST(SheafDiagonal, ItsReferencesRefuseBadShapesAsItDoes) {
  std::vector<double> two(2);
  std::vector<double> three(3);
  std::vector<std::uint32_t> flags(3);
  EXPECT_EQ(message_of(sheaf_equilibrium_reference({}, {}, 1, {})),
            "sheaf_diffusion_diagonal: cells is 0; it must be at least 1");
  EXPECT_EQ(message_of(sheaf_equilibrium_reference(two, three, 1, two)),
            "sheaf_diffusion_diagonal: restriction has 3 elements; it must have 2");
  EXPECT_EQ(message_of(sheaf_equilibrium_reference(two, two, 1, three)),
            "sheaf_diffusion_diagonal: out has 3 elements; it must have 2");
  EXPECT_EQ(message_of(sheaf_diagonal_flags_reference(two, three, 1, flags)),
            "sheaf_diffusion_diagonal: after has 3 elements; it must have 2");
  EXPECT_EQ(message_of(sheaf_diagonal_flags_reference(two, two, 1, flags)),
            "sheaf_diffusion_diagonal: out has 3 elements; it must have 2");
}

TEST(SheafDiagonal, RefusesBadShapesByNameAndNumber) {
  EXPECT_EQ(message_of(sheaf_diagonal_program(0)),
            "sheaf_diffusion_diagonal: cells is 0; it must be at least 1");
  const auto device = testing::opened("reference");
  auto diffuse = good(SheafDiagonal::make(*device, 2));
  Fixed two(2);
  Fixed three(3);
  EXPECT_EQ(message_of(diffuse(three, two, one, two)),
            "sheaf_diffusion_diagonal: stalks has 3 elements; it must have 2");
  EXPECT_EQ(message_of(diffuse(two, three, one, two)),
            "sheaf_diffusion_diagonal: restriction has 3 elements; it must have 2");
  EXPECT_EQ(message_of(diffuse(two, two, one, three)),
            "sheaf_diffusion_diagonal: out has 3 elements; it must have 2");
}

TEST(SheafDiagonal, AllocatesNothingOnceItIsMade) {
  testing::CountingDevice device(testing::opened("opencl"));
  auto diffuse = good(SheafDiagonal::make(device, 2));
  const Fixed ones = {one, one};
  Fixed out(2);
  std::vector<std::uint32_t> flags(2);
  EXPECT_EQ(testing::steady_allocations(device,
                                        [&] {
                                          good(diffuse.equilibrium(ones, ones, one / 2, out));
                                          good(diffuse.flags(ones, out, 1, flags));
                                        }),
            0U);
}

}  // namespace
}  // namespace vyre::primitives
