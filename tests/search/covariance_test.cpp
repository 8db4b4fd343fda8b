// The covariance functions against their formulas, by hand.
#include "search/covariance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vyre::search {
namespace {

// Matern 5/2 at these distances in units of the scale; the numbers are from the formula with 30
// digits.
TEST(Covariance, IsMaterns) {
  const Covariance covariance{.scales = {1.0F}};
  for (const auto& [distance, expected] : {std::pair(0.0F, 1.0),
                                           {0.5F, 0.8286491424181255},
                                           {1.0F, 0.5239941088318204},
                                           {2.0F, 0.13866021913850485},
                                           {5.0F, 0.000750933788873755}}) {
    EXPECT_NEAR(covariance.between(std::array{0.25F}, std::array{0.25F + distance}), expected,
                1e-6);
    EXPECT_NEAR(covariance.between(std::array{distance}, std::array{0.0F}), expected, 1e-6);
  }
}

// (3/3)^2 + (8/4)^2 = 5 and (4/4)^2 + (4/2)^2 = 5: each feature by its own scale.
TEST(Covariance, EachFeatureHasItsScale) {
  const std::array x = {0.0F, 0.0F};
  const Covariance covariance{.scales = {3.0F, 4.0F}};
  const Covariance other{.scales = {4.0F, 2.0F}};
  const Covariance one{.scales = {1.0F}};
  const float expected = one.between(std::array{0.0F}, std::array{std::sqrt(5.0F)});
  EXPECT_NEAR(covariance.between(x, std::array{3.0F, 8.0F}), expected, 1e-6F);
  EXPECT_NEAR(other.between(x, std::array{-4.0F, 4.0F}), expected, 1e-6F);
}

// Of 4 values m are shared; of the 4 * 5 / 2 singles and pairs m (m + 1) / 2.
TEST(Covariance, OfSharedValuesIsTheShareOfSinglesAndPairs) {
  const std::array x = {0.0F, 1.0F, 2.0F, 3.0F};
  for (int m = 0; m <= 4; ++m) {
    std::array<float, 4> y{};
    for (int f = 0; f < 4; ++f) y[static_cast<std::size_t>(f)] = f < m ? static_cast<float>(f) : 9;
    const Covariance singles{.kind = CovarianceKind::singles, .scales = std::vector(4, 1.0F)};
    const Covariance pairs{.kind = CovarianceKind::pairs, .scales = std::vector(4, 1.0F)};
    EXPECT_FLOAT_EQ(singles.between(x, y), static_cast<float>(m) / 4);
    EXPECT_FLOAT_EQ(pairs.between(x, y), static_cast<float>(m * (m + 1)) / 20);
  }
}

TEST(Covariance, AgainstManyIsAgainstEach) {
  for (const auto kind : {CovarianceKind::smooth, CovarianceKind::pairs, CovarianceKind::singles}) {
    const Covariance covariance{.kind = kind, .scales = {0.5F, 2.0F, 0.7F}};
    std::vector<Lanes> block(3);
    for (std::size_t f = 0; f < 3; ++f) {
      for (std::size_t c = 0; c < lanes; ++c) block[f][c] = static_cast<float>((c * (f + 3)) % 5);
    }
    const std::array x = {1.0F, 3.0F, 2.0F};
    Lanes out = {};
    covariance.against(x, block, out);
    for (std::size_t c = 0; c < lanes; ++c) {
      const std::array y = {block[0][c], block[1][c], block[2][c]};
      EXPECT_NEAR(out[c], covariance.between(x, y), 1e-6F) << c;
    }
  }
}

}  // namespace
}  // namespace vyre::search
