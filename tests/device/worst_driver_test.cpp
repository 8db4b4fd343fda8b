// What must hold on any driver that keeps to OpenCL. On a kind one these tests pass easily; ctest
// runs them, and other tests of the device, on the worst one too (layer/worst_driver.cpp).
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "support/device.h"
#include "vyre/device/device.h"

namespace vyre::device {
namespace {

using testing::opened;
using testing::row;

constexpr const char* doubling_source = R"(
__kernel void twice(__global uint* out, __global const uint* in) {
  out[get_global_id(0)] = 2 * in[get_global_id(0)];
}
__kernel void fails_later(__global uint* out) { out[get_global_id(0)] = 1; }
)";

constexpr std::uint32_t elements = 256;

class AnyDriver : public ::testing::Test {
 protected:
  AnyDriver() : device_(opened("opencl")), module_(device_->compile(doubling_source).value()) {
    std::iota(numbers_.begin(), numbers_.end(), 1U);
    for (const std::uint32_t number : numbers_) doubled_.push_back(2 * number);
  }

  std::vector<std::uint32_t> content(const Buffer& of) {
    std::vector<std::uint32_t> host(elements);
    EXPECT_TRUE(device_->read(std::as_writable_bytes(std::span(host)), of));
    return host;
  }

  // Writes the numbers to one buffer, lets `launch` double them into another and reads that.
  template <class Launch>
  std::vector<std::uint32_t> doubled_by(Buffer& in, Buffer& out, const Launch& launch) {
    const auto kernel = module_->kernel("twice").value();
    const std::vector<Argument> arguments = {&out, &in};
    EXPECT_TRUE(device_->write(in, std::as_bytes(std::span(numbers_))));
    EXPECT_TRUE(launch(*kernel, arguments));
    return content(out);
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Module> module_;
  std::vector<std::uint32_t> numbers_ = std::vector<std::uint32_t>(elements);
  std::vector<std::uint32_t> doubled_;
};

TEST_F(AnyDriver, ALaunchSeesWhatWasWrittenBefore) {
  const auto in = device_->allocate(elements * 4).value();
  const auto out = device_->allocate(elements * 4).value();
  const auto launch = [&](Kernel& kernel, std::span<const Argument> arguments) {
    return device_->launch(kernel, arguments, row(elements, 16)).has_value();
  };
  EXPECT_EQ(doubled_by(*in, *out, launch), doubled_);
}

TEST_F(AnyDriver, ATimedLaunchSeesWhatWasWrittenBefore) {
  const auto in = device_->allocate(elements * 4).value();
  const auto out = device_->allocate(elements * 4).value();
  const auto time = [&](Kernel& kernel, std::span<const Argument> arguments) {
    return device_->time(kernel, arguments, row(elements, 16)).has_value();
  };
  EXPECT_EQ(doubled_by(*in, *out, time), doubled_);
}

TEST_F(AnyDriver, ATimedLaunchLeavesTheGuardsAlone) {
  const auto in = device_->allocate_guarded(elements * 4).value();
  const auto out = device_->allocate_guarded(elements * 4).value();
  const auto time = [&](Kernel& kernel, std::span<const Argument> arguments) {
    return device_->time(kernel, arguments, row(elements, 16)).has_value();
  };
  EXPECT_EQ(doubled_by(*in, *out, time), doubled_);
  for (const auto* buffer : {&in, &out}) EXPECT_FALSE(device_->check_guards(**buffer).value());
}

TEST_F(AnyDriver, ATimedLaunchTakesTimeAlsoWhereTheDeviceHasNoClock) {
  const auto in = device_->allocate(elements * 4).value();
  const auto out = device_->allocate(elements * 4).value();
  const auto kernel = module_->kernel("twice").value();
  const std::vector<Argument> arguments = {out.get(), in.get()};
  const auto timing = device_->time(*kernel, arguments, row(elements, 16), {.launches = 3});
  ASSERT_TRUE(timing) << timing.error().message;
  EXPECT_GT(timing->device_ns, 100U);  // nanoseconds
  EXPECT_GT(timing->wall_ns, 0U);
}

TEST_F(AnyDriver, ALaunchThatFailsWhileItRunsIsAnError) {
  if (std::getenv("OPENCL_LAYERS") == nullptr)
    GTEST_SKIP() << "this kernel fails only in the layer";
  const auto out = device_->allocate(elements * 4).value();
  const auto kernel = module_->kernel("fails_later").value();
  const std::vector<Argument> arguments = {out.get()};
  const auto launched = device_->launch(*kernel, arguments, row(elements, 16));
  ASSERT_FALSE(launched);
  EXPECT_NE(launched.error().message.find("out of resources"), std::string::npos)
      << launched.error().message;
  EXPECT_FALSE(device_->time(*kernel, arguments, row(elements, 16)));
}

}  // namespace
}  // namespace vyre::device
