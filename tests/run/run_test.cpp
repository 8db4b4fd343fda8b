// What a compiled program does, the same on every device.
#include "vyre/run/run.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "support/device.h"
#include "support/programs.h"

namespace vyre::run {
namespace {

using testing::opened;
using testing::parsed;

constexpr const char* saxpy = R"(program saxpy {
  uniform n: u32 = 1000
  uniform a: f32 = 2.0
  uniform twice: bool = false
  buffer x: f32[n] read
  buffer y: f32[n] read_write
  grid n

  let i = invocation.x
  let sum = fma(a, x[i], y[i])
  y[i] = select(twice, sum + sum, sum)
})";

Literal f32(float value) { return {Scalar::f32, std::bit_cast<std::uint32_t>(value)}; }
Literal u32(std::uint32_t value) { return {Scalar::u32, value}; }

class Run : public ::testing::TestWithParam<const char*> {
 protected:
  // A buffer of floats on the device.
  std::unique_ptr<device::Buffer> floats(const std::vector<float>& values) {
    auto buffer = device_->allocate(values.size() * sizeof(float)).value();
    EXPECT_TRUE(device_->write(*buffer, std::as_bytes(std::span(values))));
    return buffer;
  }
  std::vector<float> content(const device::Buffer& buffer) {
    std::vector<float> values(buffer.bytes() / sizeof(float));
    EXPECT_TRUE(device_->read(std::as_writable_bytes(std::span(values)), buffer));
    return values;
  }
  Executable compiled(const char* text, const ir::Uniforms& uniforms = {}) {
    auto made = compile(*device_, {parsed(text), uniforms});
    if (!made) throw std::runtime_error(made.error().message);
    return *std::move(made);
  }

  std::unique_ptr<device::Device> device_ = opened(GetParam());
};

std::string refusal(Executable& executable, const std::vector<device::Buffer*>& buffers) {
  const auto done = executable.launch(buffers);
  return done ? "done" : done.error().message;
}

TEST_P(Run, LaunchesACompiledProgramAgainAndAgain) {
  Executable executable = compiled(saxpy, {{"n", u32(100)}});
  EXPECT_EQ(executable.shape().grid, (Extent{100, 1, 1}));
  EXPECT_EQ(executable.shape().groups, (Extent{2, 1, 1}));
  ASSERT_EQ(executable.buffer_bytes().size(), 2U);
  EXPECT_EQ(executable.buffer_bytes()[1], 400U);
  const auto x = floats(std::vector<float>(100, 3.0F));
  const auto y = floats(std::vector<float>(100, 1.0F));
  EXPECT_EQ(refusal(executable, {x.get(), y.get()}), "done");
  EXPECT_EQ(content(*y), std::vector<float>(100, 7.0F));
  EXPECT_EQ(refusal(executable, {x.get(), y.get()}), "done");
  EXPECT_EQ(content(*y), std::vector<float>(100, 13.0F));
}

TEST_P(Run, SetsUniformsBetweenLaunches) {
  Executable executable = compiled(saxpy, {{"n", u32(10)}, {"a", f32(1.0F)}});
  const auto x = floats(std::vector<float>(10, 1.0F));
  const auto y = floats(std::vector<float>(10, 0.0F));
  EXPECT_EQ(refusal(executable, {x.get(), y.get()}), "done");
  EXPECT_EQ(content(*y)[9], 1.0F);
  ASSERT_TRUE(executable.set("a", f32(5.0F)));
  EXPECT_EQ(refusal(executable, {x.get(), y.get()}), "done");
  EXPECT_EQ(content(*y)[9], 6.0F);
  ASSERT_TRUE(executable.set("twice", {Scalar::boolean, 1}));
  EXPECT_EQ(refusal(executable, {x.get(), y.get()}), "done");
  EXPECT_EQ(content(*y)[9], 22.0F);
}

TEST_P(Run, RefusesToSetWhatCannotBeSet) {
  Executable executable = compiled(saxpy);
  const auto why = [&](const char* name, Literal value) {
    const auto set = executable.set(name, value);
    return set ? "set" : set.error().message;
  };
  EXPECT_EQ(why("n", u32(5)),
            "sizes of program saxpy depend on 'n': compile it again with the new value");
  EXPECT_EQ(why("b", f32(0)), "program saxpy has no uniform 'b'; it can set: a, twice");
  EXPECT_EQ(why("a", u32(1)), "uniform 'a' of program saxpy is f32, not u32");
}

TEST_P(Run, RefusesBuffersThatDoNotFitByNameAndWithTheNumbers) {
  Executable executable = compiled(saxpy, {{"n", u32(10)}});
  const auto x = floats(std::vector<float>(10));
  const auto nine = floats(std::vector<float>(9));
  EXPECT_EQ(refusal(executable, {x.get(), nine.get()}),
            "buffer 'y' of program saxpy needs 40 bytes (10 of f32), 36 were given");
  EXPECT_EQ(refusal(executable, {x.get()}), "program saxpy has 2 buffers, 1 were given");
  EXPECT_EQ(refusal(executable, {nullptr, x.get()}), "buffer 'x' of program saxpy is missing");
  EXPECT_EQ(
      refusal(executable, {x.get(), x.get()}),
      "buffers 'x' and 'y' of program saxpy are the same memory, and it writes to it: give it "
      "two");
}

TEST_P(Run, CompilesManyProgramsAsOneModule) {
  const ir::Program program = parsed(saxpy);
  std::vector<Request> requests;
  for (const std::uint32_t n : {5U, 64U, 65U}) requests.push_back({program, {{"n", u32(n)}}});
  auto made = compile(*device_, requests);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  ASSERT_EQ(made->size(), 3U);
  for (Executable& executable : *made) {
    const std::size_t n = executable.buffer_bytes()[0] / 4;
    const auto x = floats(std::vector<float>(n, 1.0F));
    const auto y = floats(std::vector<float>(n, 0.0F));
    EXPECT_EQ(refusal(executable, {x.get(), y.get()}), "done");
    EXPECT_EQ(content(*y), std::vector<float>(n, 2.0F));
  }
}

TEST_P(Run, TimesALaunch) {
  Executable executable = compiled(saxpy);
  const auto x = floats(std::vector<float>(1000, 1.0F));
  const auto y = floats(std::vector<float>(1000, 0.0F));
  const std::vector<device::Buffer*> buffers = {x.get(), y.get()};
  const auto timing = executable.time(buffers);
  ASSERT_TRUE(timing.has_value()) << timing.error().message;
  EXPECT_GT(timing->device_ns, 0U);
  EXPECT_EQ(content(*y)[999], 2.0F);
}

TEST_P(Run, OnceCopiesInAndBackWhatTheProgramMayWrite) {
  std::vector<float> x(20, 1.0F);
  std::vector<float> y(20);
  std::iota(y.begin(), y.end(), 0.0F);
  const std::vector<std::span<std::byte>> host = {std::as_writable_bytes(std::span(x)),
                                                  std::as_writable_bytes(std::span(y))};
  const auto timing = once(*device_, {parsed(saxpy), {{"n", u32(20)}}}, host);
  ASSERT_TRUE(timing.has_value()) << timing.error().message;
  EXPECT_EQ(x, std::vector<float>(20, 1.0F));
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], static_cast<float>(i) + 2.0F);
}

TEST_P(Run, OnceRefusesHostMemoryThatDoesNotFit) {
  std::vector<std::byte> x(80);
  std::vector<std::byte> y(79);
  const std::vector<std::span<std::byte>> host = {x, y};
  const auto refused = once(*device_, {parsed(saxpy), {{"n", u32(20)}}}, host);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message,
            "buffer 'y' of program saxpy needs 80 bytes (20 of f32), 79 were given");
  const auto one = once(*device_, {parsed(saxpy), {}}, std::span(host).first(1));
  ASSERT_FALSE(one.has_value());
  EXPECT_EQ(one.error().message, "program saxpy has 2 buffers, 1 were given");
}

TEST_P(Run, AllowsBuffersOfNoElements) {
  Executable executable = compiled(R"(program none {
    uniform n: u32 = 0
    buffer x: f32[n] read
    buffer y: f32[4] write
    grid 4
    y[invocation.x] = 8.0
  })");
  const auto x = floats({});
  const auto y = floats(std::vector<float>(4));
  EXPECT_EQ(refusal(executable, {x.get(), y.get()}), "done");
  EXPECT_EQ(content(*y), std::vector<float>(4, 8.0F));
}

TEST_P(Run, GivesEveryWorkgroupItsSharedMemory) {
  Executable executable = compiled(R"(program reversed {
    uniform n: u32 = 256
    shared tile: f32[workgroup.x]
    buffer x: f32[n] read
    buffer y: f32[n] write
    grid n
    tile[local.x] = x[invocation.x]
    barrier
    y[invocation.x] = tile[workgroup.x - 1 - local.x]
  })");
  std::vector<float> values(256);
  std::iota(values.begin(), values.end(), 0.0F);
  const auto x = floats(values);
  const auto y = floats(std::vector<float>(256));
  EXPECT_EQ(refusal(executable, {x.get(), y.get()}), "done");
  EXPECT_EQ(content(*y)[0], 63.0F);
  EXPECT_EQ(content(*y)[255], 192.0F);
}

INSTANTIATE_TEST_SUITE_P(On, Run, ::testing::Values("reference", "opencl"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace vyre::run
