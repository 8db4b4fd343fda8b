// Counts what this program allocates, to show that launching allocates nothing.
#include <gtest/gtest.h>

#include "run/fake_device.h"
#include "support/allocations.h"
#include "support/programs.h"
#include "vyre/run/run.h"

namespace vyre::run {
namespace {

TEST(Executable, AllocatesNothingWhenItIsLaunchedOrAUniformIsSet) {
  testing::FakeDevice device({.max_workgroup = 64, .max_workgroup_dims = {64, 64, 64}});
  auto executable = compile(device, {testing::parsed(R"(program scale {
    uniform factor: f32 = 2.0
    buffer x: f32[256] read
    buffer y: f32[256] write
    grid 256
    y[invocation.x] = x[invocation.x] * factor
  })"),
                                     {}});
  ASSERT_TRUE(executable.has_value()) << executable.error().message;
  const auto x = device.allocate(1024).value();
  const auto y = device.allocate(1024).value();
  const std::array<device::Buffer*, 2> buffers = {x.get(), y.get()};

  const std::size_t before = testing::host_allocations();
  bool all = true;
  for (std::uint32_t i = 0; i < 100; ++i) {
    all = all && executable->set("factor", {Scalar::f32, i}).has_value();
    all = all && executable->launch(buffers).has_value();
    all = all && executable->time(buffers).has_value();
  }
  EXPECT_EQ(testing::host_allocations(), before);
  EXPECT_TRUE(all);
  EXPECT_EQ(device.launched, 200);
}

}  // namespace
}  // namespace vyre::run
