// Objects made for repeated use allocate nothing once they are in use, on the host and on the
// device.
#include <gtest/gtest.h>

#include "primitives/suite.h"
#include "support/allocations.h"
#include "support/device.h"
#include "vyre/primitives/everyday.h"
#include "vyre/primitives/gemm.h"
#include "vyre/primitives/kfac.h"

namespace vyre::primitives {
namespace {

using testing::CountingDevice;

TEST(Allocations, AnOperationMakesNoneAfterItsFirstCall) {
  CountingDevice device(testing::opened("opencl"));
  auto sum = good(reduce(device, {.n = 100}));
  auto sums = good(scan(device, {.n = 100}));
  const std::vector<float> x(100, 1.0F);
  std::vector<float> y(100);
  EXPECT_EQ(steady_allocations(device,
                               [&] {
                                 good(sum({x}, std::span(y).first(1)));
                                 good(sums({x}, y));
                               }),
            0U);
  EXPECT_EQ(y[99], 100);
}

TEST(Allocations, GemmMakesNoneAfterItsFirstCall) {
  CountingDevice device(testing::opened("opencl"));
  auto gemm = good(Gemm::make(device, {.m = 2, .n = 2, .k = 2}));
  const std::vector<float> a = {1, 2, 3, 4};
  std::vector<float> c(4);
  EXPECT_EQ(steady_allocations(device, [&] { good(gemm(a, a, c)); }), 0U);
  EXPECT_EQ(c, (std::vector<float>{7, 10, 15, 22}));
}

TEST(Allocations, KfacMakesNoneAfterItsFirstCallAlsoWithBadBlocks) {
  CountingDevice device(testing::opened("opencl"));
  auto inverse = good(KfacBlockInverse::make(device, {.num_blocks = 2, .n = 2}));
  const std::vector<float> in = {2, 0, 0, 4, 1, 1, 1, 1};
  std::vector<float> out(8);
  EXPECT_EQ(steady_allocations(device, [&] { good(inverse(in, out)); }), 0U);
  EXPECT_EQ(inverse.reports().size(), 1U);
}

}  // namespace
}  // namespace vyre::primitives
