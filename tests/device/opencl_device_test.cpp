#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "support/device.h"
#include "vyre/device/device.h"

namespace vyre::device {
namespace {

using testing::literal_u32;
using testing::opened;
using testing::row;

constexpr const char* source = R"(
__kernel void fill(__global uint* out, uint value) { out[get_global_id(0)] = value; }
__kernel void add(__global uint* out, __global const uint* in, uint value) {
  out[get_global_id(0)] = in[get_global_id(0)] + value;
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void sixteen(__global uint* out) {
  out[get_global_id(0)] = get_local_size(0);
}
__kernel void flags(__global uint* out, uchar on, int low, float half_) {
  out[0] = on == 1 && low == -5 && half_ == 0.5f;
}
)";
constexpr const char* source_with_f64 = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void third(__global uint* out, double third) { out[0] = third == 1.0 / 3.0; }
)";

class OpenclDevice : public ::testing::Test {
 protected:
  OpenclDevice() : device_(opened("opencl")) {
    auto compiled = device_->compile(source);
    if (!compiled) throw std::runtime_error(compiled.error().message);
    module_ = *std::move(compiled);
  }

  std::unique_ptr<Kernel> kernel(const char* entry) { return module_->kernel(entry).value(); }
  std::unique_ptr<Buffer> buffer(std::size_t count) { return device_->allocate(count * 4).value(); }
  std::vector<std::uint32_t> content(const Buffer& of) {
    std::vector<std::uint32_t> host(of.bytes() / 4);
    EXPECT_TRUE(device_->read(std::as_writable_bytes(std::span(host)), of));
    return host;
  }
  std::string refusal(Kernel& of, std::vector<Argument> arguments, const Shape& shape) {
    const auto done = device_->launch(of, arguments, shape);
    if (done) return "done";
    const ErrorKind kind = done.error().kind;
    EXPECT_TRUE(kind == ErrorKind::input || kind == ErrorKind::limit) << done.error().message;
    return done.error().message;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Module> module_;
};

TEST_F(OpenclDevice, ReturnsTheCompilersLogWhereTheSourceIsWrong) {
  const auto bad = device_->compile("__kernel void k(__global int* x) { x[0] = undeclared_name; }");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().kind, ErrorKind::compile);
  EXPECT_NE(bad.error().message.find("-11 build program failure"), std::string::npos);
  EXPECT_NE(bad.error().message.find("undeclared_name"), std::string::npos) << bad.error().message;
}

TEST_F(OpenclDevice, HoldsSeveralKernelsInOneModule) {
  const auto first = kernel("fill");
  const auto second = kernel("add");
  const auto a = buffer(100);
  const auto b = buffer(100);
  EXPECT_EQ(refusal(*first, {a.get(), literal_u32(7)}, row(100, 10)), "done");
  EXPECT_EQ(refusal(*second, {b.get(), a.get(), literal_u32(3)}, row(100, 20)), "done");
  EXPECT_EQ(content(*b), std::vector<std::uint32_t>(100, 10));
}

TEST_F(OpenclDevice, NamesTheKernelsThereAreWhereOneIsMissing) {
  const auto none = module_->kernel("nothing");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().kind, ErrorKind::input);
  for (const auto* name : {"'nothing'", "fill", "add", "sixteen"}) {
    EXPECT_NE(none.error().message.find(name), std::string::npos) << none.error().message;
  }
}

TEST_F(OpenclDevice, ReadsBackWhatWasWritten) {
  std::vector<std::uint32_t> host(1000);
  std::iota(host.begin(), host.end(), 5U);
  const auto b = buffer(host.size());
  EXPECT_EQ(b->bytes(), 4000U);
  ASSERT_TRUE(device_->write(*b, std::as_bytes(std::span(host))));
  EXPECT_EQ(content(*b), host);
}

TEST_F(OpenclDevice, RefusesACopyOfAnotherLength) {
  const auto b = buffer(10);
  std::vector<std::byte> host(39);
  const auto written = device_->write(*b, host);
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message, "the buffer has 40 bytes and the host memory 39");
  EXPECT_FALSE(device_->read(host, *b).has_value());
}

TEST_F(OpenclDevice, AllowsBuffersOfNoBytes) {
  const auto none = buffer(0);
  const auto some = buffer(8);
  EXPECT_EQ(none->bytes(), 0U);
  EXPECT_TRUE(device_->write(*none, {}));
  EXPECT_TRUE(device_->read({}, *none));
  EXPECT_EQ(refusal(*kernel("fill"), {some.get(), literal_u32(1)}, row(8, 8)), "done");
}

TEST_F(OpenclDevice, RefusesABufferLargerThanItAllows) {
  const std::size_t most = device_->adapter().limits.max_buffer_bytes;
  const auto huge = device_->allocate(most + 1);
  ASSERT_FALSE(huge.has_value());
  EXPECT_NE(huge.error().message.find(std::to_string(most + 1)), std::string::npos);
  EXPECT_NE(huge.error().message.find("it allows " + std::to_string(most)), std::string::npos);
}

TEST_F(OpenclDevice, SeesAnArgumentThatChangedBetweenLaunches) {
  const auto fill = kernel("fill");
  const auto a = buffer(4);
  const auto b = buffer(4);
  for (const std::uint32_t value : {1U, 2U, 2U, 3U}) {
    for (const auto* target : {&a, &b}) {
      EXPECT_EQ(refusal(*fill, {target->get(), literal_u32(value)}, row(4, 4)), "done");
      EXPECT_EQ(content(**target), std::vector<std::uint32_t>(4, value));
    }
  }
}

TEST_F(OpenclDevice, SeesABufferThatTookThePlaceOfADeadOne) {
  const auto fill = kernel("fill");
  for (std::uint32_t value = 0; value < 20; ++value) {
    const auto b = buffer(4);  // the driver may give it the handle of the one before
    EXPECT_EQ(refusal(*fill, {b.get(), literal_u32(9)}, row(4, 4)), "done");
    EXPECT_EQ(content(*b), std::vector<std::uint32_t>(4, 9));
  }
}

TEST_F(OpenclDevice, TakesAnotherShapeForTheSameKernel) {
  const auto fill = kernel("fill");
  const auto b = buffer(64);
  EXPECT_EQ(refusal(*fill, {b.get(), literal_u32(1)}, row(64, 64)), "done");
  EXPECT_EQ(refusal(*fill, {b.get(), literal_u32(2)}, row(32, 8)), "done");
  EXPECT_EQ(content(*b)[31], 2U);
  EXPECT_EQ(content(*b)[32], 1U);
}

TEST_F(OpenclDevice, PassesEveryTypeOfScalar) {
  const auto b = buffer(1);
  const std::vector<Argument> arguments = {b.get(), Literal{Scalar::boolean, 1},
                                           Literal{Scalar::i32, 0xfffffffb},
                                           Literal{Scalar::f32, 0x3f000000}};
  EXPECT_EQ(refusal(*kernel("flags"), arguments, row(1, 1)), "done");
  EXPECT_EQ(content(*b)[0], 1U);
}

TEST_F(OpenclDevice, PassesAnF64) {
  if (!testing::has_f64(*device_)) GTEST_SKIP() << "the device has no f64";
  const auto compiled = device_->compile(source_with_f64).value();
  const auto kernel = compiled->kernel("third").value();
  const auto b = buffer(1);
  const auto bits = std::bit_cast<std::uint64_t>(1.0 / 3.0);
  EXPECT_EQ(refusal(*kernel, {b.get(), Literal{Scalar::f64, bits}}, row(1, 1)), "done");
  EXPECT_EQ(content(*b)[0], 1U);
}

TEST_F(OpenclDevice, RefusesAWrongNumberOfArguments) {
  const auto b = buffer(4);
  EXPECT_EQ(refusal(*kernel("fill"), {b.get()}, row(4, 4)),
            "kernel 'fill' takes 2 arguments, 1 were given");
}

TEST_F(OpenclDevice, ExplainsAnArgumentOfTheWrongSize) {
  const auto b = buffer(4);
  const std::vector<Argument> arguments = {b.get(), Literal{Scalar::f64, 0}};
  const auto done = device_->launch(*kernel("fill"), arguments, row(4, 4));
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().kind, ErrorKind::device);
  EXPECT_NE(done.error().message.find("argument 1 of kernel 'fill' to a scalar of 8 bytes"),
            std::string::npos);
  EXPECT_NE(done.error().message.find("-51 invalid arg size"), std::string::npos);
}

TEST_F(OpenclDevice, RefusesAWorkgroupOverItsLimitWithTheNumbers) {
  const auto b = buffer(4);
  const auto& limits = device_->adapter().limits;
  const std::uint32_t x = limits.max_workgroup_dims[0];
  const std::string all = std::to_string(std::uint64_t{x} * 2);
  const Shape wide{.grid = {x, 2, 1}, .groups = {1, 1, 1}, .workgroup = {x, 2, 1}};
  const std::string why = refusal(*kernel("fill"), {b.get(), literal_u32(0)}, wide);
  EXPECT_NE(why.find(all + " invocations"), std::string::npos) << why;
  EXPECT_NE(why.find("allows " + std::to_string(limits.max_workgroup)), std::string::npos) << why;
}

TEST_F(OpenclDevice, RefusesAWorkgroupThatTheSourceForbids) {
  const auto b = buffer(32);
  EXPECT_EQ(refusal(*kernel("sixteen"), {b.get()}, row(32, 8)),
            "kernel 'sixteen' is compiled for workgroups of 16 x 1 x 1, not 8 x 1 x 1");
  EXPECT_EQ(refusal(*kernel("sixteen"), {b.get()}, row(32, 16)), "done");
  EXPECT_EQ(content(*b)[0], 16U);
}

TEST_F(OpenclDevice, StillWorksAfterARefusal) {
  const auto fill = kernel("fill");
  const auto b = buffer(4);
  EXPECT_NE(refusal(*fill, {b.get(), literal_u32(6)}, row(4, 0)), "done");
  EXPECT_NE(refusal(*fill, {b.get()}, row(4, 4)), "done");
  EXPECT_EQ(refusal(*fill, {b.get(), literal_u32(6)}, row(4, 4)), "done");
  EXPECT_EQ(content(*b)[0], 6U);
}

TEST_F(OpenclDevice, TimesALaunch) {
  const auto b = buffer(1U << 20U);
  const auto fill = kernel("fill");
  const std::vector<Argument> arguments = {b.get(), literal_u32(1)};
  const auto timing = device_->time(*fill, arguments, row(1U << 20U, 64));
  ASSERT_TRUE(timing.has_value()) << timing.error().message;
  EXPECT_GT(timing->device_ns, 0U);
  // The device's clock and the host's need not agree to the microsecond.
  EXPECT_LE(timing->device_ns, timing->wall_ns + 1'000'000);
  EXPECT_EQ(content(*b).back(), 1U);
}

TEST_F(OpenclDevice, KeepsApartWhatTwoOpenDevicesMade) {
  const auto other = opened("opencl");
  const auto theirs = other->allocate(16).value();
  const auto ours = buffer(4);
  EXPECT_EQ(refusal(*kernel("fill"), {theirs.get(), literal_u32(0)}, row(4, 4)),
            "argument 0 of kernel 'fill' is not a buffer of " + device_->adapter().name);
  EXPECT_EQ(refusal(*kernel("fill"), {nullptr, literal_u32(0)}, row(4, 4)),
            "argument 0 of kernel 'fill' is not a buffer of " + device_->adapter().name);
  std::vector<std::byte> host(16);
  EXPECT_FALSE(device_->write(*theirs, host).has_value());
  EXPECT_TRUE(other->write(*theirs, host).has_value());
  const auto fill = kernel("fill");
  const std::vector<Argument> arguments = {theirs.get(), literal_u32(0)};
  EXPECT_FALSE(other->launch(*fill, arguments, row(4, 4)).has_value());
}

TEST_F(OpenclDevice, RefusesAKernelThatNeedsMoreSharedMemoryThanThereIs) {
  const auto over = device_->adapter().limits.shared_bytes + 4;
  const std::string greedy =
      "__kernel void greedy(__global uint* out) { __local uint tile[" + std::to_string(over / 4) +
      "]; tile[get_local_id(0)] = get_local_id(0); barrier(CLK_LOCAL_MEM_FENCE);"
      " out[get_global_id(0)] = tile[out[0]]; }";
  const auto compiled = device_->compile(greedy);
  if (!compiled) {
    EXPECT_EQ(compiled.error().kind, ErrorKind::compile);  // some compilers see it themselves
    return;
  }
  const auto taken = (*compiled)->kernel("greedy");
  ASSERT_FALSE(taken.has_value());
  // How many it needs is the driver's word: Mesa's counts them twice.
  EXPECT_NE(taken.error().message.find("bytes of shared memory"), std::string::npos)
      << taken.error().message;
}

}  // namespace
}  // namespace vyre::device
