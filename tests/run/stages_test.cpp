// Programs of several stages, the same on every device.
#include <gtest/gtest.h>

#include <numeric>

#include "support/device.h"
#include "support/programs.h"
#include "vyre/run/run.h"

namespace vyre::run {
namespace {

using testing::opened;
using testing::parsed;

// The sum of all elements, times a factor, in four parts.
constexpr const char* total = R"(program total {
  uniform n: u32 = 64
  uniform parts: u32 = 4
  uniform factor: u32 = 1
  buffer x: u32[n] read
  scratch partial: u32[parts]
  buffer out: u32[1] write
  grid parts
  workgroup 2
  var s = 0
  for i in 0 .. n / parts { s += x[invocation.x * (n / parts) + i] * factor }
  partial[invocation.x] = s
  then grid 1 workgroup 1 {
    var s = factor - factor
    for i in 0 .. parts { s += partial[i] }
    out[0] = s
  }
})";

class RunStages : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<device::Buffer> numbers(std::uint32_t first, std::size_t count = 64) {
    std::vector<std::uint32_t> values(count);
    std::iota(values.begin(), values.end(), first);
    return device_->allocate_with(std::as_bytes(std::span(values))).value();
  }
  std::uint32_t number(const device::Buffer& buffer) {
    std::uint32_t value = 0;
    EXPECT_TRUE(device_->read(std::as_writable_bytes(std::span(&value, 1)), buffer));
    return value;
  }

  std::unique_ptr<device::Device> device_ = opened(GetParam());
  Executable executable_ = compile(*device_, {parsed(total), {}}).value();
  std::unique_ptr<device::Buffer> x_ = numbers(0);
  std::unique_ptr<device::Buffer> out_ = numbers(0, 1);
  std::vector<device::Buffer*> buffers_ = {x_.get(), out_.get()};
};

TEST_P(RunStages, RunInOrder) {
  ASSERT_TRUE(executable_.launch(buffers_));
  EXPECT_EQ(number(*out_), 2016U);
}

TEST_P(RunStages, TakeTheTimeOfAll) {
  const auto timing = executable_.time(buffers_);
  ASSERT_TRUE(timing);
  EXPECT_GT(timing->wall_ns, 0U);
  EXPECT_EQ(number(*out_), 2016U);
}

TEST_P(RunStages, AreOneEvent) {
  const auto queue = device_->make_queue({.timed = true}).value();
  const auto event = executable_.enqueue(*queue, buffers_);
  ASSERT_TRUE(event);
  EXPECT_TRUE(event->has_earlier());
  const device::Event same = event->share();
  ASSERT_TRUE(same.wait());
  EXPECT_EQ(same.state(), device::Event::State::done);
  // Some drivers have no clock.
  if (const auto elapsed = same.elapsed_ns()) {
    EXPECT_GT(*elapsed, 0U);
  }
  const std::array<const device::Event*, 1> events = {&*event};
  EXPECT_EQ(queue->first_failed(events), nullptr);
  EXPECT_EQ(number(*out_), 2016U);
}

TEST_P(RunStages, AllGetAUniform) {
  ASSERT_TRUE(executable_.set("factor", {Scalar::u32, 3}));
  ASSERT_TRUE(executable_.launch(buffers_));
  EXPECT_EQ(number(*out_), 3U * 2016U);
  const auto fixed = executable_.set("parts", {Scalar::u32, 8});
  ASSERT_FALSE(fixed);
  EXPECT_EQ(fixed.error().message,
            "sizes of program total depend on 'parts': compile it again with the new value");
}

TEST_P(RunStages, HaveScratchOfTheirOwnWhereTheyAreBound) {
  ASSERT_TRUE(executable_.set("factor", {Scalar::u32, 2}));
  const auto other_x = numbers(100);
  const auto other_out = numbers(0, 1);
  auto first = executable_.bound(buffers_).value();
  auto second = executable_.bound(std::array{other_x.get(), other_out.get()}).value();
  ASSERT_TRUE(executable_.set("factor", {Scalar::u32, 1}));
  // In two queues, so that their stages may come in any order.
  const auto one = device_->make_queue({}).value();
  const auto two = device_->make_queue({}).value();
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(first.enqueue_bound(*one));
    ASSERT_TRUE(second.enqueue_bound(*two));
  }
  ASSERT_TRUE(one->finish());
  ASSERT_TRUE(two->finish());
  EXPECT_EQ(number(*out_), 2U * 2016U);
  EXPECT_EQ(number(*other_out), 2U * (2016U + 6400U));
}

TEST_P(RunStages, KeepScratchFromWhoRunsThemOnce) {
  std::vector<std::uint32_t> x(64, 1);
  std::uint32_t out = 0;
  const std::array host = {std::as_writable_bytes(std::span(x)),
                           std::as_writable_bytes(std::span(&out, 1))};
  ASSERT_TRUE(once(*device_, {parsed(total), {{"parts", {Scalar::u32, 16}}}}, host));
  EXPECT_EQ(out, 64U);
}

TEST_P(RunStages, AreAllHeldToTheLimits) {
  const auto large =
      compile(*device_, {parsed("program p { grid 1 then grid 1 workgroup 2147483648 { } }"), {}});
  EXPECT_EQ(large.has_value(), device_->adapter().limits.max_workgroup >= 1U << 31U);
  const auto empty =
      compile(*device_, {parsed("program p { uniform n: u32 = 0 grid 1 then grid n { } }"), {}});
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message, "the grid is empty: n = 0 in x");
}

INSTANTIATE_TEST_SUITE_P(Devices, RunStages, ::testing::Values("reference", "opencl"));

}  // namespace
}  // namespace vyre::run
