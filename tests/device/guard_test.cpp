#include <gtest/gtest.h>

#include <cstring>

#include "support/device.h"
#include "vyre/device/device.h"

namespace vyre::device {
namespace {

using testing::opened;
using testing::row;

constexpr const char* guarded_source = R"(
__kernel void put(__global uint* out, int at) { out[at] = 7; }
__kernel void sum(__global uint* out, int n) { for (int i = 0; i < n; ++i) out[0] += STEP; }
)";

class Guarded : public ::testing::Test {
 protected:
  Guarded() : device_(opened("opencl")) {
    auto compiled = device_->compile(guarded_source, "-DSTEP=3");
    if (!compiled) throw std::runtime_error(compiled.error().message);
    module_ = *std::move(compiled);
    buffer_ = device_->allocate_guarded(40).value();
  }

  void put(std::int32_t at) {
    const auto kernel = module_->kernel("put").value();
    const std::vector<Argument> arguments = {buffer_.get(),
                                             Literal{Scalar::i32, static_cast<std::uint32_t>(at)}};
    ASSERT_TRUE(device_->launch(*kernel, arguments, row(1, 1)));
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Module> module_;
  std::unique_ptr<Buffer> buffer_;
};

TEST_F(Guarded, ABufferIsWrittenAndReadLikeAnother) {
  std::vector<std::byte> host(40, std::byte{5});
  ASSERT_TRUE(device_->write(*buffer_, host));
  put(9);
  ASSERT_TRUE(device_->read(host, *buffer_));
  EXPECT_EQ(host[35], std::byte{5});
  EXPECT_EQ(host[36], std::byte{7});
  EXPECT_FALSE(device_->check_guards(*buffer_).value());
}

TEST_F(Guarded, AWriteJustPastTheEndIsFoundOnce) {
  put(10);
  const auto touched = device_->check_guards(*buffer_).value();
  ASSERT_TRUE(touched);
  EXPECT_EQ(touched->offset, 40);
  EXPECT_FALSE(device_->check_guards(*buffer_).value());
}

TEST_F(Guarded, AWriteJustBeforeTheStartIsFound) {
  put(-1);
  const auto touched = device_->check_guards(*buffer_).value();
  ASSERT_TRUE(touched);
  EXPECT_LT(touched->offset, 0);
  EXPECT_GE(touched->offset, -4);
}

TEST_F(Guarded, AWriteAtTheFarEndOfTheGuardIsFound) {
  put(10 + static_cast<std::int32_t>(guard_bytes) / 4 - 1);
  EXPECT_TRUE(device_->check_guards(*buffer_).value());
}

TEST_F(Guarded, ABufferOfNoBytesHasGuardsToo) {
  const auto none = device_->allocate_guarded(0);
  ASSERT_TRUE(none);
  EXPECT_EQ((*none)->bytes(), 0U);
  EXPECT_FALSE(device_->check_guards(**none).value());
}

TEST_F(Guarded, LaunchesOfOneCallAreAllMadeAndTimedTogether) {
  ASSERT_TRUE(device_->write(*buffer_, std::vector<std::byte>(40)));
  const auto kernel = module_->kernel("sum").value();
  const std::vector<Argument> arguments = {buffer_.get(), Literal{Scalar::i32, 1}};
  int started = 0;
  const auto timing =
      device_->time(*kernel, arguments, row(1, 1), {.launches = 5, .started = [&] { ++started; }});
  ASSERT_TRUE(timing);
  EXPECT_EQ(started, 1);
  EXPECT_GT(timing->wall_ns, 0U);
  EXPECT_EQ(timing->cpu_ns > 0, device_->adapter().is_cpu);
  std::vector<std::byte> host(40);
  ASSERT_TRUE(device_->read(host, *buffer_));
  EXPECT_EQ(host[0], std::byte{15});
}

}  // namespace
}  // namespace vyre::device
